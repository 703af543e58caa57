import type { Condition } from '../../../engine/definitions/definition';
import { memo, useCallback, useDeferredValue } from 'react';
import { useDraftPart } from '../draft';
import { useDraftValue } from '../properties/useDraftValue';
import { ConditionEditor } from './ConditionEditor';
import { draftSubjects, type Subject } from './subjects';

interface ConditionPropertyProps {
  pointer: string;
  label: string;
  /** The fields to compare; default: those of the draft. */
  subjects?: readonly Subject[];
  /** Whether an emptied condition stays as `{}` instead of being removed. */
  keepEmpty?: boolean;
  /** Whether an emptied condition becomes `true`: what it is about then holds always. */
  isTrueWhenEmpty?: boolean;
  /** Whether it begins with a row to fill in. */
  begin?: boolean;
  /** Called when a row waits for its value. */
  onWait?: () => void;
}

/** The editor of a condition at a place of the draft. */
export const ConditionProperty = memo(function ConditionProperty({
  pointer,
  label,
  subjects,
  keepEmpty = false,
  isTrueWhenEmpty = false,
  begin,
  onWait,
}: ConditionPropertyProps) {
  // Names of fields may come a moment later than what is typed into a label.
  const draftFields = useDeferredValue(useDraftPart(({ source }) => (subjects ? undefined : draftSubjects(source))));
  const { value, set, error, hint } = useDraftValue(pointer);
  const change = useCallback(
    (next: Condition | undefined) => set(next ?? (isTrueWhenEmpty ? true : keepEmpty ? {} : undefined)),
    [set, keepEmpty, isTrueWhenEmpty],
  );
  return (
    <ConditionEditor
      {...{ label, value, error, hint, begin, onWait }}
      subjects={subjects ?? draftFields ?? []}
      onChange={change}
    />
  );
});
