import Box from '@mui/material/Box';
import IconButton from '@mui/material/IconButton';
import { isComplete } from '../../../engine/studio/condition-operators';
import type { GroupPart, ConditionPart, RowPart } from '../../../engine/studio/condition-builder';
import { formatJson } from '../../../engine/studio/format-source';
import { Icon } from '../../icons/Icon';
import { ConditionRow } from './ConditionRow';
import type { Subject } from './subjects';
import * as propertiesStyles from '../properties/properties.module.css';
import * as styles from './conditions.module.css';
import MenuItem from '@mui/material/MenuItem';
import Select from '@mui/material/Select';

const joinLabels: Readonly<Record<GroupPart['join'], string>> = {
  all: 'all of these are true',
  any: 'at least one of these is true',
  none: 'none of these is true',
};

interface JoinSelectProps {
  label: string;
  join: GroupPart['join'];
  onChange: (join: GroupPart['join']) => void;
}

/** How several conditions are combined. */
export function JoinSelect({ label, join, onChange }: JoinSelectProps) {
  return (
    <Select
      size="small"
      className={styles.studioJoin}
      value={join}
      onChange={({ target }) => onChange(target.value)}
      inputProps={{ 'aria-label': `${label}: how conditions are combined` }}
    >
      {Object.entries(joinLabels).map(([value, text]) => (
        <MenuItem key={value} value={value}>
          {text}
        </MenuItem>
      ))}
    </Select>
  );
}

interface ConditionGroupProps {
  group: GroupPart;
  label: string;
  subjects: readonly Subject[];
  /** A row at the end that has no value yet. */
  incompleteRow?: RowPart | null;
  onChange: (group: GroupPart) => void;
  onWait?: (row: RowPart | null) => void;
}

/** The rows of a condition; nested groups have a frame. */
export function ConditionGroup({ group, label, subjects, incompleteRow, onChange, onWait }: ConditionGroupProps) {
  const parts: readonly ConditionPart[] = group.parts;
  const put = (next: readonly ConditionPart[]) => onChange({ ...group, parts: next });
  const remove = (index: number) => put(parts.toSpliced(index, 1));
  const change = (index: number, part: ConditionPart) => put(parts.with(index, part));
  // A waiting row stays the same input when its first character makes it complete: the keyboard's focus stays in it.
  return (
    <>
      {[...parts, ...(incompleteRow ? [incompleteRow] : [])].map((part, index) => {
        if (part === incompleteRow && index === parts.length)
          return (
            <ConditionRow
              key={index}
              {...{ row: incompleteRow, label, subjects }}
              onChange={(row) => {
                onWait?.(row);
                if (isComplete(row)) put([...parts, row]);
              }}
              onRemove={() => onWait?.(null)}
            />
          );
        if (part.kind === 'row')
          return (
            <ConditionRow
              key={index}
              {...{ row: part, label, subjects }}
              onChange={(row) => {
                if (isComplete(row)) return change(index, row);
                remove(index);
                onWait?.(row);
              }}
              onRemove={() => remove(index)}
            />
          );
        if (part.kind === 'raw')
          return (
            <div key={index} className={styles.studioWritten}>
              <pre className={propertiesStyles.studioCode}>{formatJson(part.condition)}</pre>
              <Remove label={label} onClick={() => remove(index)} />
            </div>
          );
        return (
          <Box
            key={index}
            sx={{ display: 'grid', gap: 1.5, pt: 1, pb: 1, pl: 2.5, borderLeft: '2px solid var(--line-2)' }}
          >
            <div className={styles.studioWhen}>
              <JoinSelect
                label={label}
                join={part.join}
                onChange={(join) => change(index, { kind: 'group', join, parts: part.parts })}
              />
              <Remove label={label} onClick={() => remove(index)} />
            </div>
            <ConditionGroup group={part} {...{ label, subjects }} onChange={(next) => change(index, next)} />
          </Box>
        );
      })}
    </>
  );
}

function Remove({ label, onClick }: { label: string; onClick: () => void }) {
  return (
    <IconButton size="small" aria-label={`Remove the condition: ${label}`} title="Remove" onClick={onClick}>
      <Icon name="close" size={14} />
    </IconButton>
  );
}
