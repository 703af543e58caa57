import type { Field, ResourceRecord } from '../definitions/definition';
import { convertValue } from './convert-value';

/**
 * The values of a form whose definition changed while it was open: values of renamed fields move along, values of
 * fields with a new type are converted, and new fields start with `start`. Values of removed fields are kept in case
 * the field comes back. Returns the same object if nothing has to change.
 *
 * @example migrateFormValues(fields, publishedFields, { title: 'A' }, { due: null }); // { name: 'A', due: null }
 */
export function migrateFormValues(
  oldFields: readonly Field[],
  newFields: readonly Field[],
  values: ResourceRecord,
  start: ResourceRecord,
): ResourceRecord {
  const oldFieldsByName = new Map(oldFields.map((field) => [field.name, field]));
  const next = { ...values };
  let isChanged = false;
  for (const field of newFields) {
    const formerField =
      oldFieldsByName.get(field.name) ??
      (field.formerName === undefined ? undefined : oldFieldsByName.get(field.formerName));
    const hasValue = formerField && formerField.name in values;
    const value = hasValue
      ? migrateValue(values[formerField.name], formerField, field)
      : formerField
        ? undefined
        : (values[field.name] ?? start[field.name]);
    if (value === values[field.name]) continue;
    isChanged = true;
    if (value === undefined) delete next[field.name];
    else next[field.name] = value;
  }
  return isChanged ? next : values;
}

function migrateValue(value: unknown, formerField: Field, field: Field): unknown {
  if (formerField === field || value === undefined) return value;
  if (formerField.type === field.type && formerField.to === field.to && formerField.options === undefined) return value;
  return convertValue(value, formerField, field) ?? undefined;
}
