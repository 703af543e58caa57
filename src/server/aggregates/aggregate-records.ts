import { sql, type RawBuilder } from 'kysely';
import type { Definition, Field, ResourceRecord } from '../../engine/definitions/definition';
import { fieldTypeOf } from '../../engine/field-types';
import { isRelation } from '../../engine/field-types/relation';
import { isGroupable } from '../../engine/lists/groupable';
import { accessFilterIfGranted, allOf, readableFields } from '../access/access-filter';
import type { RequestContext } from '../access/request-context';
import { BadRequest } from '../errors/errors';
import { listFilter, type Page } from '../records/list';
import { bindSearchTerm, matchSql, searchTermOf } from '../records/list-statements';
import { maxRows, parseListQuery, parseRange, type Query } from '../records/query/list-query';
import { quoteValue } from '../records/query/values';
import { columnSql, formattedSql } from '../sql/column-sql';
import { visibleTitleSql } from '../sql/operands';
import { predicateToSql } from '../sql/predicate-to-sql';

type Sql = RawBuilder<unknown>;

/** The units by which days and instants are grouped; a group is named by its first day. */
export const groupUnits = ['day', 'week', 'month', 'quarter', 'year'] as const;
type GroupUnit = (typeof groupUnits)[number];

/** What can be taken of the records of a group besides their `count`. */
export const aggregateFunctions = ['sum', 'avg', 'min', 'max'] as const;
type AggregateFunction = (typeof aggregateFunctions)[number];

/** What one statement should have to evaluate. */
export const maxGroupFields = 3;
export const maxTakes = 10;
const maxPathLength = 4;

/** A group: the values it is grouped by, the titles of those that are records, and what was taken of its records. */
export interface AggregateGroup extends ResourceRecord {
  readonly group: Readonly<Record<string, unknown>>;
  readonly titles: Readonly<Record<string, string | null>>;
  readonly count?: number;
}

/** A field to group by, perhaps of a related record, and the SQL of its value. */
interface GroupField {
  /** As it was asked for: `stage_id`, `film_id.studio_id` or `starts_on:month`. */
  readonly name: string;
  readonly value: Sql;
  readonly isText: boolean;
  /** The title of the record that the value is the id of. */
  readonly title?: Sql;
}

/** A number or value of each group. */
interface Take {
  /** As it was asked for: `count` or `sum:hours`. */
  readonly name: string;
  readonly of?: { readonly take: AggregateFunction; readonly field: string };
  readonly value: Sql;
  /** The value in the form of responses. */
  readonly shown: Sql;
}

/**
 * `GET r/aggregate`: how many records there are in each group, and sums, averages and extremes of their fields. Groups
 * come from the records that a list with the same query would have, so that a caller learns nothing else. One
 * statement.
 *
 * `group` is up to three fields (`stage_id`), fields of related records that the caller may list
 * (`film_id.studio_id`), or periods in the caller's time zone (`starts_on:month`); `take` is `count` (the default),
 * `sum:`, `avg:`, `min:` or `max:` with a field; `sort_by` one of either, with `-` for descending; `range` the groups.
 *
 * @example
 * await aggregateRecords(context, definition, { group: 'stage_id', take: 'count,sum:budget', sort_by: '-count' });
 * // records: [{ group: { stage_id: 2 }, titles: { stage_id: 'Filming' }, count: 4, sum: { budget: 1200.5 } }]
 *
 * Throws Forbidden without the grant to list, BadRequest for a wrong name, and for more than 10,000 groups.
 */
export async function aggregateRecords(
  context: RequestContext,
  definition: Definition,
  { group, take, sort_by: sortBy, range, ...query }: Query,
): Promise<Page<AggregateGroup>> {
  if (query.sort !== undefined) throw new BadRequest('Groups are sorted by sort_by, such as -count.');
  const joins = new Map<string, Sql>();
  const groups = parseNames('group', group, maxGroupFields).map((name) => groupField(context, definition, name, joins));
  const takes = parseNames('take', take ?? 'count', maxTakes).map((name) => parseTake(context, definition, name));
  const { offset, limit } = range === undefined ? { offset: 0, limit: maxRows } : parseRange(range);
  const listQuery = parseListQuery(context, definition, query);
  const where = listFilter(context, definition, listQuery);
  const needle = searchTermOf(listQuery, 'scan');
  const keys = groups.map((_, index) => sql.id(`group_${index}`));
  const values = takes.map((_, index) => sql.id(`take_${index}`));
  const columns = [
    ...groups.map(({ value }, index) => sql`${value} as ${keys[index]!}`),
    ...groups.flatMap(({ title }, index) => (title ? [sql`min(${title}) as ${sql.id(`title_${index}`)}`] : [])),
    ...takes.flatMap(({ value, shown }, index) => [
      sql`${value} as ${values[index]!}`,
      sql`${shown} as ${sql.id(`shown_${index}`)}`,
    ]),
  ];
  const joined = joins.size > 0 ? sql.join([...joins.values()], sql` `) : sql``;
  const grouped = groups.length > 0 ? sql`group by ${sql.join(groups.map((_, index) => sql.lit(index + 1)))}` : sql``;
  const statement = sql`select * from (
      select ${sql.join(columns)} from ${sql.id('public', definition.table)} t ${joined}
      where ${matchSql(context, definition, where, needle)} ${grouped}
    ) g ${orderGroups(groups, takes, sortBy)} limit ${sql.lit(maxRows + 1)}`;
  const { database } = context.program;
  const rows = await database.query(bindSearchTerm(statement.compile(database.kysely), needle));
  if (rows.length > maxRows)
    throw new BadRequest(`These are more than ${maxRows} groups: filter the records, or group them by something else.`);
  const records = rows.slice(offset, offset + limit).map((row) => describeGroup(row, groups, takes));
  return { records, offset, total: rows.length };
}

function describeGroup(row: ResourceRecord, groups: readonly GroupField[], takes: readonly Take[]): AggregateGroup {
  const taken: Record<string, Record<string, unknown>> = {};
  let count: number | undefined;
  for (const [index, { of }] of takes.entries()) {
    const value = row[`shown_${index}`] ?? null;
    if (of) (taken[of.take] ??= {})[of.field] = value;
    else count = value as number;
  }
  return {
    group: Object.fromEntries(groups.map(({ name }, index) => [name, row[`group_${index}`] ?? null])),
    titles: Object.fromEntries(
      groups.flatMap(({ name, title }, index) => (title ? [[name, (row[`title_${index}`] ?? null) as string]] : [])),
    ),
    ...(count !== undefined && { count }),
    ...taken,
  };
}

function parseNames(parameter: string, text: unknown, most: number): readonly string[] {
  if (text === undefined || text === '') return [];
  if (typeof text !== 'string') throw new BadRequest(`${parameter} must be names separated by commas.`);
  const names = text.split(',').map((name) => name.trim());
  if (new Set(names).size < names.length) throw new BadRequest(`${parameter} has a name twice.`);
  if (names.length > most) throw new BadRequest(`${parameter} can have at most ${most} names.`);
  return names;
}

/** The field of a definition that the caller may read on every record, and that filters and groups may use. */
function comparableField(context: RequestContext, definition: Definition, name: string, parameter: string): Field {
  const field = Object.hasOwn(definition.fields, name) ? definition.fields[name]! : undefined;
  if (!field || !readableFields(context.actor, definition).always.has(name))
    throw new BadRequest(`${parameter}: ${definition.labels.many} have no field ${quoteValue(name)}.`);
  return field;
}

/** Parses one name of `group`, and adds the joins of its path. */
function groupField(
  context: RequestContext,
  definition: Definition,
  name: string,
  joins: Map<string, Sql>,
): GroupField {
  const { registry, evaluationContext } = context;
  const [path = '', unit, ...rest] = name.split(':');
  const names = path.split('.');
  const last = names.pop()!;
  if (rest.length > 0 || names.length >= maxPathLength)
    throw new BadRequest(`group: ${quoteValue(name)} must be a field, such as stage_id or starts_on:month.`);
  let [alias, at] = ['t', definition];
  for (const part of names) {
    const field = comparableField(context, at, part, 'group');
    if (!isRelation(field) || field.virtual)
      throw new BadRequest(`group: ${quoteValue(part)} in ${quoteValue(name)} must be a relation to one record.`);
    const target = registry.getOrThrow(field.to);
    const listed = accessFilterIfGranted(context, target, 'list', { archived: 'any' });
    if (!listed) throw new BadRequest(`group: you may not list ${target.labels.many}.`);
    const next = `${alias}_${part}`;
    const isListed = predicateToSql(allOf([listed]), target, next, registry, evaluationContext);
    const on = sql`${sql.id(next, 'id')} = ${columnSql(at, field, alias, registry, evaluationContext)} and ${isListed}`;
    joins.set(next, sql`left join ${sql.id('public', target.table)} ${sql.id(next)} on ${on}`);
    [alias, at] = [next, target];
  }
  const field = comparableField(context, at, last, 'group');
  const { holds } = fieldTypeOf(field);
  if (!isGroupable(field)) throw new BadRequest(`group: ${at.labels.many} cannot be grouped by ${quoteValue(last)}.`);
  const value = columnSql(at, field, alias, registry, evaluationContext);
  if (holds === 'day' || holds === 'instant')
    return { name, value: periodSql(name, value, holds, unit, context.timeZone), isText: false };
  if (unit !== undefined)
    throw new BadRequest(`group: ${quoteValue(name)} is no date, so it has no ${groupUnits.join(', ')}.`);
  if (!isRelation(field)) return { name, value: formattedSql(field, value), isText: holds === 'text' };
  const target = registry.getOrThrow(field.to);
  const titled = `${alias}_${last}_title`;
  const joined = sql`left join ${sql.id('public', target.table)} ${sql.id(titled)} on ${sql.id(titled, 'id')} = ${value}`;
  joins.set(titled, joined);
  return { name, value, isText: false, title: visibleTitleSql(context.actor, target, titled, registry) };
}

/** The first day of the period of a day or of an instant in a zone, as YYYY-MM-DD. */
function periodSql(name: string, value: Sql, holds: string, unit: string | undefined, timeZone: string): Sql {
  if (unit === undefined && holds === 'day') return sql`to_char(${value}, 'YYYY-MM-DD')`;
  if (!groupUnits.includes(unit as GroupUnit))
    throw new BadRequest(`group: ${quoteValue(name)} needs one of ${groupUnits.map((one) => `:${one}`).join(', ')}.`);
  const local = holds === 'day' ? sql`${value}::timestamp` : sql`(${value} at time zone ${sql.lit(timeZone)})`;
  return sql`to_char(date_trunc(${sql.lit(unit)}, ${local}), 'YYYY-MM-DD')`;
}

function parseTake(context: RequestContext, definition: Definition, name: string): Take {
  if (name === 'count') return { name, value: sql`count(*)::integer`, shown: sql`count(*)::integer` };
  const [take, fieldName = '', ...rest] = name.split(':');
  if (!aggregateFunctions.includes(take as AggregateFunction) || rest.length > 0)
    throw new BadRequest(`take: ${quoteValue(name)} must be count, or a function and a field, such as sum:hours.`);
  const field = comparableField(context, definition, fieldName, 'take');
  const { holds, isSummable } = fieldTypeOf(field);
  const isNumber = holds === 'number' || holds === 'minutes';
  const isPossible = take === 'sum' || take === 'avg' ? isSummable : isNumber || holds === 'day' || holds === 'instant';
  if (!isPossible) throw new BadRequest(`take: ${quoteValue(name)} is not possible for a field of type ${field.type}.`);
  const value = columnSql(definition, field, 't', context.registry, context.evaluationContext);
  const taken = sql`${sql.raw(take!)}(${isNumber ? sql`(${value})::numeric` : value})`;
  const whole = holds === 'minutes' ? sql`round(${taken})::integer` : isNumber ? sql`(${taken})::float8` : taken;
  const shown = holds === 'day' ? sql`to_char(${whole}, 'YYYY-MM-DD')` : formattedSql(field, whole);
  return { name, of: { take: take as AggregateFunction, field: fieldName }, value: whole, shown };
}

/** By `sort_by`, then by the groups in their order: records by their titles, whatever has no value last. */
function orderGroups(groups: readonly GroupField[], takes: readonly Take[], sortBy: unknown): Sql {
  const text = (name: string) => sql`${sql.id('g', name)} collate "und-x-icu"`;
  const columns = groups.flatMap(({ title, isText }, index) => {
    const key = isText ? text(`group_${index}`) : sql.id('g', `group_${index}`);
    return [title ? [text(`title_${index}`), key] : [key]];
  });
  const wanted = typeof sortBy === 'string' ? sortBy.replace(/^-/, '') : undefined;
  const direction = sql.raw(typeof sortBy === 'string' && sortBy.startsWith('-') ? 'desc' : 'asc');
  const grouped = groups.findIndex(({ name }) => name === wanted);
  const taken = takes.findIndex(({ name }) => name === wanted);
  if (sortBy !== undefined && grouped < 0 && taken < 0)
    throw new BadRequest('sort_by must be one of the names of group or take, such as -count.');
  const first = grouped >= 0 ? columns[grouped]! : taken >= 0 ? [sql.id('g', `take_${taken}`)] : [];
  const order = [
    ...first.map((one) => sql`${one} ${direction} nulls last`),
    ...columns.flat().map((one) => sql`${one} nulls last`),
  ];
  return order.length > 0 ? sql`order by ${sql.join(order)}` : sql``;
}
