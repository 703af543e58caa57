import MenuItem from '@mui/material/MenuItem';
import OutlinedInput from '@mui/material/OutlinedInput';
import Select from '@mui/material/Select';
import { useId, useMemo } from 'react';
import type { Field } from '../../../src/engine/definitions/definition';
import type { FieldSource } from '../../../src/engine/definitions/source';
import { isVariable } from '../../../src/engine/conditions/grammar';
import { useDefinitions } from '../../../src/app/admin/DefinitionsContext';
import { ManyChoicesInput } from '../../../src/app/choices/ManyChoicesInput';
import { ChoiceInput } from '../../../src/app/choices/ChoiceInput';
import { optionSource } from '../../../src/app/choices/loadChoices';
import { fieldParts } from '../../../src/app/fields';
import { recordSource } from './records';
import type { Clause } from './shim';

interface ClauseValueProps {
  clause: Clause;
  field: FieldSource;
  label: string;
  onChange: (value: unknown) => void;
}

const truths = [
  { value: 'true', label: 'Yes' },
  { value: 'false', label: 'No' },
];

/** What a clause compares with: records and options as chips, everything else as its field type is typed. */
export function ClauseValue(props: ClauseValueProps) {
  const { clause, field, label, onChange } = props;
  const { operator, value } = clause;
  const many = operator === '$in' || operator === '$nin';
  if (operator === '$exists' || field.type === 'boolean')
    return (
      <Select
        size="small"
        className="studio-value"
        displayEmpty
        value={value === undefined || value === null ? '' : String(value)}
        onChange={({ target }) => onChange(target.value === 'true')}
        inputProps={{ 'aria-label': label }}
      >
        <MenuItem value="" disabled>
          <span className="studio-muted">Choose…</span>
        </MenuItem>
        {truths.map((truth) => (
          <MenuItem key={truth.value} value={truth.value}>
            {truth.label}
          </MenuItem>
        ))}
      </Select>
    );
  const isRecord = field.type === 'relation' || field.type === 'relations';
  if ((isRecord || field.type === 'select') && !isVariable(value)) return <Choices {...props} many={many} />;
  if ((field.type === 'date' || field.type === 'number') && !many && !isVariable(value)) return <Typed {...props} />;
  return (
    <OutlinedInput
      size="small"
      className="studio-value"
      placeholder={many ? 'Values, with commas between' : 'A value, or $today, $actor.id …'}
      value={many ? [value ?? []].flat().join(', ') : value === undefined || value === null ? '' : String(value)}
      onChange={({ target }) => onChange(many ? listed(target.value) : target.value === '' ? undefined : target.value)}
      slotProps={{ input: { 'aria-label': label } }}
    />
  );
}

const listed = (text: string) => (text.trim() === '' ? undefined : text.split(',').map((one) => one.trim()));

function Choices({ clause, field, label, onChange, many }: ClauseValueProps & { many: boolean }) {
  const { registry } = useDefinitions();
  const id = useId();
  const target = field.to === undefined ? undefined : registry.get(field.to);
  const options = field.type === 'select' ? field.options : undefined;
  const source = useMemo(
    () => (target ? recordSource(target) : optionSource((options ?? []).filter((option) => option?.label))),
    [target, options],
  );
  const shared = { id, size: 'small', source, field: asField(label, many ? 'relations' : 'relation') } as const;
  return (
    <div className="studio-value">
      <label htmlFor={id} className="unseen">
        {label}
      </label>
      {many ? (
        <ManyChoicesInput {...shared} value={[clause.value ?? []].flat()} onChange={onChange} placeholder="Choose…" />
      ) : (
        <ChoiceInput {...shared} value={clause.value} onChange={onChange} placeholder="Choose…" />
      )}
    </div>
  );
}

function Typed({ clause, field, label, onChange }: ClauseValueProps) {
  const id = useId();
  const { Input } = fieldParts[field.type ?? 'text'];
  const typed = { ...asField(label, field.type ?? 'text'), integer: field.integer ?? false } as Field;
  return (
    <div className="studio-value">
      <label htmlFor={id} className="unseen">
        {label}
      </label>
      <Input id={id} size="small" field={typed} value={clause.value} onChange={(next) => onChange(next ?? undefined)} />
    </div>
  );
}

const asField = (label: string, type: Field['type']) =>
  ({ name: 'value', label, type, placeholder: 'Choose…' }) as Field;
