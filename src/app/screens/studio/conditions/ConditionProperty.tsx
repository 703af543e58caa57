import type { Condition } from '../../../../engine/definitions/definition';
import { memo, useCallback, useDeferredValue } from 'react';
import { useDraftPart } from '../draft';
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
  /** Whether an emptied condition becomes `true`: what it is about then holds always. */
  emptied?: boolean;
  /** Whether it begins with a row to fill in. */
  begin?: boolean;
  /** Called when a row waits for its value. */
  onWait?: () => void;
}

/** The editor of a condition at a place of the draft. */
export const ConditionProperty = memo(function ConditionProperty({
  at,
  label,
  subjects,
  keepEmpty = false,
  emptied = false,
  begin,
  onWait,
}: ConditionPropertyProps) {
  // Names of fields may come a moment later than what is typed into a label.
  const own = useDeferredValue(useDraftPart(({ source }) => (subjects ? undefined : draftSubjects(source))));
  const { value, set, error, hint } = useDraftValue(at);
  const change = useCallback(
    (next: Condition | undefined) => set(next ?? (emptied ? true : keepEmpty ? {} : undefined)),
    [set, keepEmpty, emptied],
  );
  return (
    <ConditionEditor
      {...{ label, value, error, hint, begin, onWait }}
      subjects={subjects ?? own ?? []}
      onChange={change}
    />
  );
});
