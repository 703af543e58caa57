import type { Definition, Field, ResourceRecord } from '../definitions/definition';
import type { Registry } from '../registry/registry';
import { fieldTypeOf } from '../field-types';
import { isInverse } from '../field-types/inverse';
import { ownProperty } from '../values/lookups';

/** The source of a column's or card line's value: a field of the record, or of an embedded record. */
export interface ColumnSource {
  readonly field: Field;
  /** The definition that the field belongs to. */
  readonly definition: Definition;
  /** The record that contains the value; the embedded one for a path. */
  record(record: ResourceRecord): ResourceRecord;
  value(record: ResourceRecord): unknown;
}

/**
 * Resolves `name`, `embed.name`, or a path that the definition has a field for; undefined if there is no such field.
 *
 * @example resolveColumn('user.email', definition, registry)?.field.type; // 'email'
 */
export function resolveColumn(path: string, definition: Definition, registry: Registry): ColumnSource | undefined {
  const field = ownProperty(definition.fields, path);
  if (field) return { field, definition, record: (record) => record, value: (record) => fieldValue(field, record) };
  const dot = path.indexOf('.');
  if (dot < 0) return undefined;
  const head = path.slice(0, dot);
  const relation = Object.values(definition.fields).find(({ embed, name }) => embed === head || name === head);
  const target = relation?.to === undefined ? undefined : registry.get(relation.to);
  const inner = target && resolveColumn(path.slice(dot + 1), target, registry);
  if (!inner || !relation) return undefined;
  const embedded = (record: ResourceRecord) => (record[relation.embed ?? relation.name] ?? {}) as ResourceRecord;
  return {
    ...inner,
    record: (record) => inner.record(embedded(record)),
    value: (record) => inner.value(embedded(record)),
  };
}

/** A field's value in a response. Lists contain counts of inverse records under a separate name. */
function fieldValue(field: Field, record: ResourceRecord): unknown {
  return record[field.name] ?? (isInverse(field) ? record[field.countName] : undefined);
}

/**
 * The number of records of an inverse or many-valued field, whether the response contains them or their count.
 *
 * @example countOf([{ id: 1 }, { id: 2 }]); // 2
 */
export function countOf(value: unknown): number {
  if (Array.isArray(value)) return value.length;
  return typeof value === 'number' ? value : 0;
}

/**
 * The sum in lists beside the count of an inverse field, formatted by its type; undefined without one.
 *
 * @example formattedSumOf(source, record, timeLogs); // '12h 30m'
 */
export function formattedSumOf(
  { field, record }: ColumnSource,
  source: ResourceRecord,
  target: Definition | undefined,
): string | undefined {
  const summedField = field.sum && target?.fields[field.sum.field];
  const value = field.sum && record(source)[field.sum.name];
  if (!summedField || value === undefined || value === null) return undefined;
  return fieldTypeOf(summedField).toText(value, summedField) || '0';
}
