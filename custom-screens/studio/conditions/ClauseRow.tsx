import IconButton from '@mui/material/IconButton';
import MenuItem from '@mui/material/MenuItem';
import Select from '@mui/material/Select';
import { Icon } from '../../../src/app/icons/Icon';
import { ClauseValue } from './ClauseValue';
import type { Subject } from './fields';
import { operatorsFor, type Clause, type Operator } from './shim';

interface ClauseRowProps {
  clause: Clause;
  subjects: readonly Subject[];
  label: string;
  onChange: (clause: Clause) => void;
  onRemove: () => void;
}

const unknown = { type: 'text' } as const;

/** One clause: what is asked about, how it compares, and with what. */
export function ClauseRow({ clause, subjects, label, onChange, onRemove }: ClauseRowProps) {
  const { left, operator } = clause;
  const subject = subjects.find(({ name }) => name === left);
  const field = subject?.field ?? unknown;
  const operators = operatorsFor(field.type ?? 'text');
  const known = operators.some(({ value }) => value === operator);
  const ask = (name: string) => {
    const type = subjects.find((one) => one.name === name)?.field.type ?? 'text';
    onChange({ left: name, operator: operatorsFor(type)[0]!.value, value: undefined });
  };
  return (
    <div className="studio-clause">
      <Select
        size="small"
        value={left}
        onChange={({ target }) => ask(target.value)}
        inputProps={{ 'aria-label': `${label}: field` }}
        MenuProps={{ slotProps: { paper: { sx: { maxHeight: 320 } } } }}
      >
        {!subject && <MenuItem value={left}>{left}</MenuItem>}
        {subjects.map(({ name, label: words }) => (
          <MenuItem key={name} value={name}>
            {words}
          </MenuItem>
        ))}
      </Select>
      <Select
        size="small"
        value={operator}
        onChange={({ target }) => onChange(compared(clause, target.value as Operator))}
        inputProps={{ 'aria-label': `${label}: operator` }}
      >
        {!known && <MenuItem value={operator}>{operator}</MenuItem>}
        {operators.map(({ value, label: words }) => (
          <MenuItem key={value} value={value}>
            {words}
          </MenuItem>
        ))}
      </Select>
      <IconButton size="small" aria-label={`Remove the condition: ${label}`} title="Remove" onClick={onRemove}>
        <Icon name="close" size={14} />
      </IconButton>
      <ClauseValue
        {...{ clause, field }}
        label={`${label}: value`}
        onChange={(value) => onChange({ ...clause, value })}
      />
    </div>
  );
}

const many = (operator: Operator) => operator === '$in' || operator === '$nin';

/** The clause with another operator, its value kept as far as it fits. */
function compared(clause: Clause, operator: Operator): Clause {
  const { value } = clause;
  if (operator === '$exists') return { ...clause, operator, value: true };
  if (clause.operator === '$exists') return { ...clause, operator, value: undefined };
  if (many(operator) === many(clause.operator)) return { ...clause, operator };
  return {
    ...clause,
    operator,
    value: many(operator) ? (value === undefined ? undefined : [value]) : [value].flat()[0],
  };
}
