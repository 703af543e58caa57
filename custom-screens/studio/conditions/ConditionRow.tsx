import IconButton from '@mui/material/IconButton';
import MenuItem from '@mui/material/MenuItem';
import Select from '@mui/material/Select';
import type { Row } from '../../../src/engine/studio/condition-builder';
import { compareBy, wayOf, waysOf } from '../../../src/engine/studio/condition-ways';
import { Icon } from '../../../src/app/icons/Icon';
import { ConditionValue } from './ConditionValue';
import type { Subject } from './fields';

interface ConditionRowProps {
  row: Row;
  subjects: readonly Subject[];
  label: string;
  onChange: (row: Row) => void;
  onRemove: () => void;
}

const tall = { slotProps: { paper: { sx: { maxHeight: 320 } } } };

/** One comparison: field, operator and value. */
export function ConditionRow({ row, subjects, label, onChange, onRemove }: ConditionRowProps) {
  const subject = subjects.find(({ name }) => name === row.left);
  const type = subject?.field.type ?? 'text';
  const way = wayOf(row, type);
  const ways = waysOf(type);
  const ask = (left: string) => {
    const [first] = waysOf(subjects.find(({ name }) => name === left)?.field.type ?? 'text');
    onChange({ kind: 'row', left, operator: first!.operator, value: first!.value });
  };
  const compare = (key: string) => onChange(compareBy(row, ways.find((one) => one.key === key) ?? way));
  return (
    <div className="studio-clause">
      <Select
        size="small"
        value={row.left}
        onChange={({ target }) => ask(target.value)}
        inputProps={{ 'aria-label': `${label}: field` }}
        MenuProps={tall}
      >
        {!subject && <MenuItem value={row.left}>{row.left}</MenuItem>}
        {subjects.map(({ name, label: words }) => (
          <MenuItem key={name} value={name}>
            {words}
          </MenuItem>
        ))}
      </Select>
      <Select
        size="small"
        value={way.key}
        onChange={({ target }) => compare(target.value)}
        inputProps={{ 'aria-label': `${label}: operator` }}
        MenuProps={tall}
      >
        {!ways.includes(way) && <MenuItem value={way.key}>{way.words}</MenuItem>}
        {ways.map(({ key, words }) => (
          <MenuItem key={key} value={key}>
            {words}
          </MenuItem>
        ))}
      </Select>
      <IconButton size="small" aria-label={`Remove the condition: ${label}`} title="Remove" onClick={onRemove}>
        <Icon name="close" size={14} />
      </IconButton>
      {way.takes !== 'none' && (
        <ConditionValue
          row={row}
          many={way.takes === 'many'}
          field={subject?.field ?? {}}
          label={`${label}: value`}
          onChange={(value) => onChange({ ...row, value })}
        />
      )}
    </div>
  );
}
