import type { FieldTypeName } from '../../../engine/definitions/definition';
import { typeNamesWhere } from '../../../engine/field-types';
import { systemFields } from '../../../engine/normalise/system-fields';
import { useDraftPart } from '../draft';
import { typeLabel } from '../fields/TypeLabel';
import { changeType } from '../../../engine/studio/fields';
import { ChoiceInput } from './ChoiceProperty';
import { useDraftValue } from './useDraftValue';

/** The type of a field. The type of system fields is fixed. */
export function TypeSelect({ name }: { name: string }) {
  const { system, edit } = useDraftPart(({ source, edit: change }) => ({
    system: systemFields(source)[name]?.type,
    edit: change,
  }));
  const { value, error } = useDraftValue(`/fields/${name}/type`);
  const names = typeNamesWhere(() => true);
  const type = system ?? value ?? 'text';
  return (
    <ChoiceInput
      label="Type"
      error={error}
      disabled={system !== undefined}
      options={names.map((typeName) => ({ value: typeName, label: typeLabel(typeName) }))}
      value={names.find((typeName) => typeName === type) ?? ''}
      onChoose={(next) => edit((now) => changeType(now, name, next as FieldTypeName).source)}
    />
  );
}
