import { useId, useMemo } from 'react';
import type { Field } from '../../../src/engine/definitions/definition';
import { useDefinitions } from '../../../src/app/admin/DefinitionsContext';
import { ChoiceInput } from '../../../src/app/choices/ChoiceInput';
import { optionSource } from '../../../src/app/choices/loadChoices';
import { ManyChoicesInput } from '../../../src/app/choices/ManyChoicesInput';
import { fieldComponents } from '../../../src/app/fields';
import type { ConditionValueProps } from './conditionValueProps';
import { moduleRecordSource } from './moduleRecordSource';

/** A choice of records or options; several are shown as chips. */
export function ChosenValue({ row, field, label, many, onChange }: ConditionValueProps) {
  const { registry } = useDefinitions();
  const id = useId();
  const name = field.to ?? field.of?.split('.')[0];
  const target = name === undefined ? undefined : registry.get(name);
  const source = useMemo(
    () =>
      target ? moduleRecordSource(target) : optionSource((field.options ?? []).filter(({ label: words }) => words)),
    [target, field.options],
  );
  const shared = { id, size: 'small', source, field: inputField(label, many ? 'relations' : 'relation') } as const;
  return (
    <>
      <label htmlFor={id} className="unseen">
        {label}
      </label>
      {many ? (
        <ManyChoicesInput {...shared} value={[row.value ?? []].flat()} onChange={onChange} />
      ) : (
        <ChoiceInput {...shared} value={row.value} onChange={onChange} />
      )}
    </>
  );
}

/** A number or date, by the input of its field type. */
export function TypedValue({ row, field, label, onChange }: ConditionValueProps) {
  const id = useId();
  const type = field.type ?? 'text';
  const { Input } = fieldComponents[type];
  const typed = { ...inputField(label, type), integer: field.integer ?? false } as Field;
  return (
    <>
      <label htmlFor={id} className="unseen">
        {label}
      </label>
      <Input id={id} size="small" field={typed} value={row.value} onChange={(next) => onChange(next ?? undefined)} />
    </>
  );
}

const inputField = (label: string, type: Field['type']) =>
  ({ name: 'value', label, type, placeholder: 'Choose…' }) as Field;
