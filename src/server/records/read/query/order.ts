import { sql, type RawBuilder } from 'kysely';
import type { Definition, Field } from '../../../../engine/definitions/definition';
import { readableFields } from '../../../access/access-filter';
import type { RecordScope } from '../../../access/record-scope';
import type { RequestContext } from '../../../access/request-context';
import { findEmbedField, visibleTitleSql } from '../../../sql/operands';
import { BadRequest } from '../../../errors/errors';
import { quoteValue } from './values';
import { columnTypeOf, fieldTypeOf, valueTypeOf } from '../../../../engine/field-types';
import { isRelation } from '../../../../engine/field-types/relation';
import { parseBoundedJson } from '../../../../engine/values/bounded-json';
import { responseSql, columnSql } from '../../../sql/column-sql';
import { paddedNumbers } from '../../../sql/sort-by-numbers';
import { fieldOf } from '../../../../engine/definitions/accessors';

/**
 * The sort order of rows; a relation is sorted by its target's title, or by a `part` of the target. Every order ends with
 * the id.
 */
export interface Order {
  readonly field: Field;
  readonly part?: Field;
  readonly descending: boolean;
  /** The places of cards on a board, which come first; the rest is the order of records without one. */
  readonly place?: Field;
}

/** Parses `sort_by=-name`; without it, returns the definition's own order. Throws BadRequest. */
export function parseSortBy(context: RequestContext, definition: Definition, sortBy: unknown): Order {
  if (sortBy === undefined) {
    const { field, order } = definition.list.sort;
    const defaultOrder = findSorted(context, definition, field) ?? { field: fieldOf(definition, 'id') };
    return { ...defaultOrder, descending: order === 'DESC' };
  }
  if (typeof sortBy !== 'string') throw new BadRequest('sort_by must be one field, such as name or -name.');
  const descending = sortBy.startsWith('-');
  return { ...requireSortable({ context, definition }, descending ? sortBy.slice(1) : sortBy, 'sort_by'), descending };
}

/**
 * Parses `["name","ASC"]`; by the places of a board, `sortBy` is the order of the records that have none. Throws
 * BadRequest.
 */
export function parseSort(context: RequestContext, definition: Definition, text: unknown, sortBy: unknown): Order {
  const [name, direction, ...rest] = parseJsonArray(text);
  const place = placeField(definition);
  if (place && name === place.name && direction === 'ASC' && rest.length === 0)
    return { ...parseSortBy(context, definition, sortBy), place };
  if (typeof name !== 'string' || (direction !== 'ASC' && direction !== 'DESC') || rest.length > 0) {
    throw new BadRequest('sort must be a field and ASC or DESC, such as ["name","ASC"].');
  }
  return { ...requireSortable({ context, definition }, name, 'sort'), descending: direction === 'DESC' };
}

/** The field with the places of cards on the board; undefined where they are not put in order by hand. */
export function placeField({ fields, list }: Definition): Field | undefined {
  return list.kanban?.order === undefined ? undefined : fields[list.kanban.order];
}

function parseJsonArray(text: unknown): unknown[] {
  try {
    const value = parseBoundedJson(String(text));
    return Array.isArray(value) ? value : [];
  } catch {
    return [];
  }
}

/** The order of rows, without the direction. */
type Sorted = Pick<Order, 'field' | 'part'>;

function requireSortable({ context, definition }: RecordScope, name: string, parameter: string): Sorted {
  const sortPath = findSorted(context, definition, name);
  if (!sortPath)
    throw new BadRequest(`${parameter}: ${definition.labels.many} cannot be sorted by ${quoteValue(name)}.`);
  return sortPath;
}

/** A field, also one of a path of the list, or a stored field of the record that a relation shows in responses, such as `user.email`. */
function findSorted(context: RequestContext, definition: Definition, name: string): Sorted | undefined {
  if (Object.hasOwn(definition.fields, name)) {
    const field = sortableField(context, definition, name);
    return field && { field };
  }
  const [relationName = '', partName, ...rest] = name.split('.');
  const field = sortableField(context, definition, relationName);
  if (!field || partName === undefined) return field && { field };
  if (rest.length > 0 || !isRelation(field) || field.virtual || !field.embedFields.includes(partName)) return undefined;
  const target = context.registry.getOrThrow(field.to);
  const part = sortableField(context, target, partName);
  return part && columnTypeOf(part) !== null ? { field, part } : undefined;
}

/** A field, or the relation of an embed, that the caller may read on every record. */
function sortableField(context: RequestContext, definition: Definition, name: string): Field | undefined {
  const field = Object.hasOwn(definition.fields, name) ? definition.fields[name] : findEmbedField(definition, name);
  if (!field?.sortable || !readableFields(context.actor, definition).always.has(field.name)) return undefined;
  return field;
}

/** The term of an order before all others: the places of a board, records without one last; or the reverse of it. */
export const placeSql = ({ place }: Order, alias: string, isReversed = false): RawBuilder<unknown> =>
  place ? sql`${sql.id(alias, place.name)} ${sql.raw(isReversed ? 'desc nulls first' : 'asc nulls last')},` : sql``;

/** The sort expression of a field: a relation is sorted by its target's title, text by ICU's root collation. */
export function orderSql(
  context: RequestContext,
  definition: Definition,
  { field, part }: Order,
): { expression: RawBuilder<unknown>; join: RawBuilder<unknown> } {
  const emptyJoin = sql``;
  if (isRelation(field)) {
    const target = context.registry.getOrThrow(field.to);
    const title = visibleTitleSql(context.actor, target, 's', context.registry);
    const table = sql.id('public', target.table);
    const joinCondition = sql`s.id = ${sql.id('t', field.name)}`;
    if (part)
      return {
        expression: collateSql(sql.id('s', part.name), valueTypeOf(part) === 'text'),
        join: sql`left join ${table} s on ${joinCondition}`,
      };
    if (target.fields[target.titleField]?.computed === undefined) {
      return { expression: collateSql(title, true), join: sql`left join ${table} s on ${joinCondition}` };
    }
    // A computed title is built once per target (enforced by `offset 0`), not once per row.
    const titleTable = sql`(select s.id, ${title} as title from ${table} s offset 0)`;
    return { expression: collateSql(sql`s.title`, true), join: sql`left join ${titleTable} s on ${joinCondition}` };
  }
  // A time of day sorts after all times of the days before; durations sort as numbers.
  const sortedAs = field.dateField === undefined ? columnSql : responseSql;
  const value = sortedAs(definition, field, 't', context.registry, context.evaluationContext);
  const sortValue = fieldTypeOf(field).sortsByNumbers ? paddedNumbers(value) : value;
  return { expression: collateSql(sortValue, valueTypeOf(field) === 'text'), join: emptyJoin };
}

function collateSql(expression: RawBuilder<unknown>, isText: boolean): RawBuilder<unknown> {
  return isText ? sql`(${expression}) collate "und-x-icu"` : expression;
}
