import { useDraft } from '../draft';
import { useAt } from '../properties/useAt';
import { ConditionEditor } from './ConditionEditor';
import { fieldsOf, type Subject } from './fields';

interface ConditionAtProps {
  at: string;
  label: string;
  /** The fields to compare; default: those of the draft. */
  subjects?: readonly Subject[];
  /** Whether an emptied condition stays as `{}` instead of being removed. */
  kept?: boolean;
}

/** The editor of a condition at a place of the draft. */
export function ConditionAt({ at, label, subjects, kept }: ConditionAtProps) {
  const { source } = useDraft();
  const { value, set, error, hint } = useAt(at);
  return (
    <ConditionEditor
      {...{ label, value, error, hint }}
      subjects={subjects ?? fieldsOf(source)}
      onChange={(next) => set(next ?? (kept ? {} : undefined))}
    />
  );
}
