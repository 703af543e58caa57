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
  before: readonly Field[],
  after: readonly Field[],
  values: ResourceRecord,
  start: ResourceRecord,
): ResourceRecord {
  const known = new Map(before.map((field) => [field.name, field]));
  const next = { ...values };
  let changed = false;
  for (const field of after) {
    const former = known.get(field.name) ?? (field.formerName === undefined ? undefined : known.get(field.formerName));
    const has = former && former.name in values;
    const value = has
      ? migrateValue(values[former.name], former, field)
      : former
        ? undefined
        : (values[field.name] ?? start[field.name]);
    if (value === values[field.name]) continue;
    changed = true;
    if (value === undefined) delete next[field.name];
    else next[field.name] = value;
  }
  return changed ? next : values;
}

function migrateValue(value: unknown, former: Field, field: Field): unknown {
  if (former === field || value === undefined) return value;
  if (former.type === field.type && former.to === field.to && former.options === undefined) return value;
  return convertValue(value, former, field) ?? undefined;
}
