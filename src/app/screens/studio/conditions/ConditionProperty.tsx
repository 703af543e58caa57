import { useDraft } from '../draft';
import { useDraftValue } from '../properties/useDraftValue';
import { ConditionEditor } from './ConditionEditor';
import { draftSubjects, type Subject } from './subjects';

interface ConditionPropertyProps {
  at: string;
  label: string;
  /** The fields to compare; default: those of the draft. */
  subjects?: readonly Subject[];
  /** Whether an emptied condition stays as `{}` instead of being removed. */
  keepEmpty?: boolean;
}

/** The editor of a condition at a place of the draft. */
export function ConditionProperty({ at, label, subjects, keepEmpty }: ConditionPropertyProps) {
  const { source } = useDraft();
  const { value, set, error, hint } = useDraftValue(at);
  return (
    <ConditionEditor
      {...{ label, value, error, hint }}
      subjects={subjects ?? draftSubjects(source)}
      onChange={(next) => set(next ?? (keepEmpty ? {} : undefined))}
    />
  );
}
