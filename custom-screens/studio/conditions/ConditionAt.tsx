import { useDraft } from '../draft';
import { useAt } from '../properties/useAt';
import { ConditionEditor } from './ConditionEditor';
import { fieldsOf, type Subject } from './fields';

interface ConditionAtProps {
  at: string;
  label: string;
  /** What can be asked about: the draft's own records where it is left out. */
  subjects?: readonly Subject[];
  /** Stays as an empty object when nothing is asked any longer. */
  kept?: boolean;
}

/** A condition of the definition. */
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
