import FormHelperText from '@mui/material/FormHelperText';
import IconButton from '@mui/material/IconButton';
import { memo, useEffect, useEffectEvent, useRef, useState } from 'react';
import type { Condition } from '../../../engine/definitions/definition';
import { readCondition, writeCondition, type GroupPart, type RowPart } from '../../../engine/studio/condition-builder';
import { isComplete, operatorsFor } from '../../../engine/studio/condition-operators';
import { firstOf } from '../../../engine/values/lookups';
import { Icon } from '../../icons/Icon';
import { Hint } from '../properties/Hint';
import { ConditionGroup, JoinSelect } from './ConditionGroup';
import type { Subject } from './subjects';
import * as styles from './conditions.module.css';

interface ConditionEditorProps {
  label: string;
  value: unknown;
  subjects: readonly Subject[];
  error?: string;
  hint?: string;
  /** Whether it begins with a row to fill in, in view and focused. */
  begin?: boolean;
  /** Called when a row waits for its value: until it has one, the condition is stored without it. */
  onWait?: () => void;
  /** Called with undefined when the last row is removed. */
  onChange: (condition: Condition | undefined) => void;
}

/** Edits a condition row by row: field, operator and value. */
export const ConditionEditor = memo(function ConditionEditor({
  label,
  value,
  subjects,
  error,
  hint,
  begin = false,
  onWait,
  onChange,
}: ConditionEditorProps) {
  const group = readCondition(typeof value === 'object' && value !== null ? (value as Condition) : undefined);
  // A row without a value is not a condition yet: until then it is kept here, and once it is one until the draft has it,
  // so that its input stays the same.
  const [pendingRow, setPendingRow] = useState<{ readonly row: RowPart; readonly partCount: number } | null>(null);
  const isStored = pendingRow !== null && isComplete(pendingRow.row) && group.parts.length > pendingRow.partCount;
  if (isStored) setPendingRow(null);
  const incompleteRow = isStored ? null : (pendingRow?.row ?? null);
  const setWaiting = (row: RowPart | null) => {
    setPendingRow(row && { row, partCount: group.parts.length });
    if (row) onWait?.();
  };
  const put = (next: GroupPart) => onChange(next.parts.length === 0 ? undefined : writeCondition(next));
  const add = () => {
    const usedNames = group.parts.flatMap((part) => (part.kind === 'row' ? part.left : []));
    const { name, field } =
      subjects.find((subject) => subject.name !== 'id' && !usedNames.includes(subject.name)) ?? firstOf(subjects);
    const { operator, value: firstValue } = firstOf(operatorsFor(field.type ?? 'text'));
    setWaiting({ kind: 'row', left: name, operator, value: firstValue });
  };
  const frame = useRef<HTMLDivElement>(null);
  const start = useEffectEvent(() => {
    if (incompleteRow || group.parts.length > 0) return;
    add();
    requestAnimationFrame(() => {
      frame.current?.scrollIntoView({ block: 'nearest' });
      frame.current?.querySelector<HTMLElement>('[role="combobox"]')?.focus({ preventScroll: true });
    });
  });
  useEffect(() => {
    if (begin) start();
  }, [begin]);
  return (
    <div className={styles.studioCondition} role="group" aria-label={label} ref={frame}>
      <div className={styles.studioWhen}>
        <span>{label}</span>
        {hint && <Hint text={hint} />}
        {group.parts.length === 0 && !incompleteRow && <small>always</small>}
        {group.parts.length + (incompleteRow ? 1 : 0) > 1 && (
          <JoinSelect
            label={label}
            join={group.join}
            onChange={(join) => put({ kind: 'group', join, parts: group.parts })}
          />
        )}
        {!incompleteRow && (
          <IconButton size="small" aria-label={`Add a condition: ${label}`} title="Add a condition" onClick={add}>
            <Icon name="plus" size={14} />
          </IconButton>
        )}
      </div>
      <ConditionGroup {...{ group, label, subjects, incompleteRow }} onChange={put} onWait={setWaiting} />
      {error && <FormHelperText error>{error}</FormHelperText>}
    </div>
  );
});
