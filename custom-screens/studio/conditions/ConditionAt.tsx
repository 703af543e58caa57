import { useDraft } from '../draft';
import { Labelled } from '../properties/Labelled';
import { useAt } from '../properties/useAt';
import { ConditionEditor } from './ConditionEditor';
import { fieldsOf } from './fields';

interface ConditionAtProps {
  at: string;
  label: string;
  /** Stays as an empty object when nothing is asked any longer. */
  kept?: boolean;
}

/** A condition of the definition about its own records. */
export function ConditionAt({ at, label, kept }: ConditionAtProps) {
  const { source } = useDraft();
  const { value, set, error, hint } = useAt(at);
  return (
    <Labelled {...{ label, error, hint: value === undefined ? undefined : hint }}>
      {() => (
        <ConditionEditor
          label={label}
          value={value}
          fields={fieldsOf(source)}
          onChange={(next) => set(next ?? (kept ? {} : undefined))}
        />
      )}
    </Labelled>
  );
}
