import { ConditionAt } from '../conditions/ConditionAt';
import { SwitchRow } from './SwitchAt';
import { TextAt } from './TextAt';
import { useAt } from './useAt';

/** What a field is computed from: a template for text, a condition for booleans. */
export function Computed({ at, type }: { at: string; type: string }) {
  const { value, set, hint } = useAt(at);
  const first = type === 'boolean' ? {} : '{id}';
  return (
    <div data-wide className="studio-group">
      <SwitchRow label="Computed" on={value !== undefined} hint={hint} onChange={(on) => set(on ? first : undefined)} />
      {typeof value === 'string' && <TextAt at={at} label="Template" />}
      {typeof value === 'object' && <ConditionAt at={at} label="True when" kept />}
    </div>
  );
}
