import IconButton from '@mui/material/IconButton';
import MenuItem from '@mui/material/MenuItem';
import Select from '@mui/material/Select';
import { treeParent } from '../../../engine/field-types/relation';
import type { RowPart } from '../../../engine/studio/condition-builder';
import { withOperator, operatorOf, operatorsFor } from '../../../engine/studio/condition-operators';
import { firstOf } from '../../../engine/values/lookups';
import { useDefinitions } from '../../data/DefinitionsContext';
import { Icon } from '../../icons/Icon';
import { ConditionValue } from './ConditionValue';
import type { Subject } from './subjects';
import * as styles from './conditions.module.css';

interface ConditionRowProps {
  row: RowPart;
  subjects: readonly Subject[];
  label: string;
  onChange: (row: RowPart) => void;
  onRemove: () => void;
}

const menuProps = { slotProps: { paper: { sx: { maxHeight: 320 } } } };

/** One comparison: field, operator and value. */
export function ConditionRow({ row, subjects, label, onChange, onRemove }: ConditionRowProps) {
  const subject = subjects.find(({ name }) => name === row.left);
  const type = subject?.field.type ?? 'text';
  const operator = operatorOf(row, type);
  const { registry } = useDefinitions();
  const target = registry.get(subject?.field.to ?? '');
  const operators = operatorsFor(type, target !== undefined && treeParent(target) !== undefined);
  const ask = (left: string) => {
    const first = firstOf(operatorsFor(subjects.find(({ name }) => name === left)?.field.type ?? 'text'));
    onChange({ kind: 'row', left, operator: first.operator, value: first.value });
  };
  const compare = (key: string) =>
    onChange(withOperator(row, operators.find((candidate) => candidate.key === key) ?? operator));
  return (
    <div className={styles.studioClause}>
      <Select
        size="small"
        value={row.left}
        onChange={({ target }) => ask(target.value)}
        inputProps={{ 'aria-label': `${label}: field` }}
        MenuProps={menuProps}
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
        value={operator.key}
        onChange={({ target }) => compare(target.value)}
        inputProps={{ 'aria-label': `${label}: operator` }}
        MenuProps={menuProps}
      >
        {!operators.includes(operator) && <MenuItem value={operator.key}>{operator.label}</MenuItem>}
        {operators.map(({ key, label }) => (
          <MenuItem key={key} value={key}>
            {label}
          </MenuItem>
        ))}
      </Select>
      <IconButton size="small" aria-label={`Remove the condition: ${label}`} title="Remove" onClick={onRemove}>
        <Icon name="close" size={14} />
      </IconButton>
      {operator.valueCount !== 'none' && (
        <ConditionValue
          row={row}
          isMany={operator.valueCount === 'many'}
          field={subject?.field ?? {}}
          label={`${label}: value`}
          onChange={(value) => onChange({ ...row, value })}
        />
      )}
    </div>
  );
}
