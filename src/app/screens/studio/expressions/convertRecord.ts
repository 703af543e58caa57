import { idOf, type EvaluationContext } from '../../../../engine/conditions/variables';
import type { Definition, Field, FieldOf, ResourceRecord } from '../../../../engine/definitions/definition';
import { computeValues } from '../../../../engine/expressions/evaluate';
import { isInverse } from '../../../../engine/field-types/inverse';
import { isRelations } from '../../../../engine/field-types/relations';
import { convertValue } from '../../../../engine/forms/convert-value';
import { embedsOf } from '../../../../engine/lists/titles';

/**
 * A record stored under one version of a definition, converted to another version: renamed fields keep their values,
 * fields with another type keep what can be converted, new fields are empty, computed ones are computed again.
 */
export function convertRecord(
  record: ResourceRecord,
  from: Definition,
  to: Definition,
  around: EvaluationContext,
): ResourceRecord {
  const fields = Object.values(to.fields);
  const known = new Set(Object.values(from.fields).flatMap(responseKeys));
  const next = Object.fromEntries(Object.entries(record).filter(([key]) => !known.has(key)));
  for (const field of fields) {
    if (field.computed !== undefined) continue;
    const former = previousField(field, from);
    Object.assign(next, former ? convertField(record, former, field) : emptyValues(field));
  }
  return computeValues(to, next, around);
}

/** The field of another version that this one was before; undefined for a new field. */
export function previousField(field: Field, from: Definition): Field | undefined {
  const name = Object.hasOwn(from.fields, field.name) ? field.name : field.formerName;
  return name !== undefined && Object.hasOwn(from.fields, name) ? from.fields[name] : undefined;
}

/** The keys of a response that belong to a field. */
function responseKeys(field: Field): string[] {
  const { name, embed } = field;
  return [name, ...(embed === undefined ? [] : [embed]), ...(isInverse(field) ? [field.countName] : [])];
}

function convertField(record: ResourceRecord, former: Field, field: Field): ResourceRecord {
  if (isInverse(field)) return convertInverse(record, former, field);
  if (field.to === undefined || former.to !== field.to) {
    const value = former.to === undefined ? convertValue(record[former.name], former, field) : null;
    return { ...emptyValues(field), [field.name]: value };
  }
  const stored = record[former.name];
  const ids = Array.isArray(stored) ? stored.map(idOf) : idOf(stored);
  const embeds = embedsOf(former, record);
  const embedded = isRelations(field) ? embeds : (embeds[0] ?? null);
  return {
    [field.name]: convertValue(ids, former, field),
    ...(field.embed !== undefined && { [field.embed]: embedded }),
  };
}

function convertInverse(record: ResourceRecord, former: Field, field: FieldOf<'inverse'>): ResourceRecord {
  if (!isInverse(former)) return emptyValues(field);
  const { resource, field: side } = former.inverse;
  if (resource !== field.inverse.resource || side !== field.inverse.field) return emptyValues(field);
  const count = record[former.countName];
  return {
    ...(record[former.name] !== undefined && { [field.name]: record[former.name] }),
    ...(count !== undefined && { [field.countName]: count }),
  };
}

function emptyValues(field: Field): ResourceRecord {
  if (isInverse(field)) return { [field.countName]: 0 };
  const { name, embed } = field;
  const none = isRelations(field) ? [] : null;
  return { [name]: none, ...(embed !== undefined && { [embed]: none }) };
}
