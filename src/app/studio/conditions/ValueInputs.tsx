import { useId, useMemo } from 'react';
import type { Field } from '../../../engine/definitions/definition';
import { useDefinitions } from '../../data/DefinitionsContext';
import { ChoiceInput } from '../../fields/choices/ChoiceInput';
import { optionSource } from '../../fields/choices/loadChoices';
import { ManyChoicesInput } from '../../fields/choices/ManyChoicesInput';
import { FieldInput } from '../../fields/inputs';
import type { ConditionValueProps } from './conditionValueProps';
import { moduleRecordSource } from './moduleRecordSource';

/** A choice of records or options; several are shown as chips. */
export function ChosenValue({ row, field, label, isMany, onChange }: ConditionValueProps) {
  const { registry } = useDefinitions();
  const id = useId();
  const name = field.to ?? field.source?.split('.')[0];
  const target = registry.get(name);
  const source = useMemo(
    () =>
      target ? moduleRecordSource(target) : optionSource((field.options ?? []).filter(({ label: words }) => words)),
    [target, field.options],
  );
  const inputProps = {
    id,
    size: 'small',
    source,
    field: inputField(label, isMany ? 'relations' : 'relation'),
  } as const;
  return (
    <>
      <label htmlFor={id} className="unseen">
        {label}
      </label>
      {isMany ? (
        <ManyChoicesInput {...inputProps} value={[row.value ?? []].flat()} onChange={onChange} />
      ) : (
        <ChoiceInput {...inputProps} value={row.value} onChange={onChange} />
      )}
    </>
  );
}

/** A number or date, by the input of its field type. */
export function TypedValue({ row, field, label, onChange }: ConditionValueProps) {
  const id = useId();
  const type = field.type ?? 'text';
  const typedField = { ...inputField(label, type), integer: field.integer ?? false } as Field;
  return (
    <>
      <label htmlFor={id} className="unseen">
        {label}
      </label>
      <FieldInput
        id={id}
        size="small"
        field={typedField}
        value={row.value}
        onChange={(next) => onChange(next ?? undefined)}
      />
    </>
  );
}

const inputField = (label: string, type: Field['type']) =>
  ({ name: 'value', label, type, placeholder: 'Choose…' }) as Field;
