import { sql, type RawBuilder } from 'kysely';
import type { Predicate } from '../../../engine/conditions/grammar';
import type { Definition } from '../../../engine/definitions/definition';
import { parseGrouping, withoutFirstDay } from '../../../engine/lists/grouping';
import { parseBoundedJson } from '../../../engine/values/bounded-json';
import type { RecordScope } from '../../access/record-scope';
import { BadRequest } from '../../errors/errors';
import { queryCacheOf } from '../../sql/query-cache';
import type { Statement } from '../../database/statements';
import {
  bindSearchTerm,
  matchSql,
  searchTermKey,
  searchTermOf,
  type PageIds,
  type PageSlice,
  type RowCount,
} from './list-statements';
import { groupField } from './query/group';
import type { ListQuery, Query } from './query/list-query';
import { orderSql, placeSql } from './query/order';
import { quoteValue } from './query/values';
import { audienceKey, bind, cachedStatement, conditionKey, orderKey, Placeholder } from './statement-cache';

type Sql = RawBuilder<unknown>;

/** By what a list is grouped, and the groups whose records are left out. */
export interface ListGrouping {
  /** `stage_id`, `starts_on:month`, `starts_on:week:0`. */
  readonly name: string;
  readonly descending: boolean;
  /** The values of closed groups as text; empty: records without a value. */
  readonly closed: readonly string[];
}

const groupParameter = 'group_by';
const closedParameter = 'closed_groups';
/** More would be a filter. */
const maxClosed = 500;

/**
 * Takes `group_by=stage_id` (with `-`: descending) and `closed_groups=[3,null]` from a list's query. Throws
 * BadRequest for what is no grouping of the list.
 */
export function splitGrouping(
  definition: Definition,
  query: Query,
): { readonly grouping: ListGrouping | undefined; readonly rest: Query } {
  if (query[groupParameter] === undefined) return { grouping: undefined, rest: query };
  const { [groupParameter]: text, [closedParameter]: closedText, ...rest } = query;
  const groupText = typeof text === 'string' ? text : '';
  const name = groupText.replace(/^-/, '');
  if (!parseGrouping(withoutFirstDay(name), definition))
    throw new BadRequest(
      `${groupParameter}: ${definition.labels.many} cannot be grouped by ${quoteValue(text)}. It must be a relation to one record, a field with options, yes or no, or a date with a period, such as starts_on:month.`,
    );
  return { grouping: { name, descending: groupText.startsWith('-'), closed: parseClosed(closedText) }, rest };
}

function parseClosed(text: unknown): readonly string[] {
  if (text === undefined) return [];
  let values: unknown;
  try {
    values = parseBoundedJson(String(text));
  } catch {
    // Refused below.
  }
  const isValue = (value: unknown) => value === null || ['string', 'number', 'boolean'].includes(typeof value);
  if (!Array.isArray(values) || !values.every(isValue) || values.length > maxClosed)
    throw new BadRequest(`${closedParameter} must be at most ${maxClosed} values of groups, such as [3,null].`);
  return values.map((value) => (value === null ? '' : String(value)));
}

/**
 * A page of a grouped list: by group, then in the list's order; the records of closed groups are left out. Groups are in
 * the order of `GET r/aggregate` with `sort_by=group`.
 */
export async function findGroupedPage(
  scope: RecordScope,
  filter: Predicate,
  listQuery: ListQuery,
  grouping: ListGrouping,
  { limit, offset }: PageSlice,
  countList: () => Promise<RowCount>,
): Promise<PageIds> {
  const { context, definition } = scope;
  const { database } = context.program;
  const needle = searchTermOf(listQuery, 'scan');
  const shape = JSON.stringify([
    grouping.name,
    grouping.descending,
    grouping.closed.length > 0,
    isEmptyClosed(grouping),
  ]);
  const key = `${audienceKey(context)}|${shape}|${orderKey(context, definition, listQuery.order)}|${searchTermKey(needle)}|${conditionKey(context, definition, filter)}`;
  const statements = () => groupedStatements(scope, filter, listQuery, grouping);
  const bound = (plan: Statement) =>
    bindSearchTerm(bind(plan, { limit, offset, closed: grouping.closed.filter((value) => value !== '') }), needle);
  const countOpen = () =>
    queryCacheOf(database).count(
      bound(cachedStatement(context, `grouped count|${key}`, () => statements().count)),
      context.registry,
    );
  const count = grouping.closed.length > 0 ? countOpen().then((total) => ({ total })) : countList();
  count.catch(() => undefined);
  const rows = await database.query(bound(cachedStatement(context, `grouped|${key}`, () => statements().page)));
  return { ids: rows.map(({ id }) => id as number), ...(await count) };
}

/** The ids of a page, and the number of rows. Placeholders are `limit`, `offset`, and `closed`, the closed groups. */
function groupedStatements(
  scope: RecordScope,
  filter: Predicate,
  listQuery: ListQuery,
  grouping: ListGrouping,
): { readonly page: Sql; readonly count: Sql } {
  const { context, definition } = scope;
  const joinsByAlias = new Map<string, Sql>();
  const group = groupField(scope, grouping.name, joinsByAlias, groupParameter);
  const groupJoins = [...joinsByAlias.values(), ...(group.record ? [group.record.join(group.value)] : [])];
  const needle = searchTermOf(listQuery, 'scan');
  const { expression, join } = orderSql(context, definition, listQuery.order);
  const direction = sql.raw(listQuery.order.descending ? 'desc' : 'asc');
  const groupDirection = sql.raw(grouping.descending ? 'desc' : 'asc');
  const key = group.isText ? sql`(${group.value}) collate "und-x-icu"` : group.value;
  const byGroup = [...group.order, key].map((orderPart) => sql`${orderPart} ${groupDirection} nulls last`);
  const source = sql`from ${sql.id('public', definition.table)} t ${sql.join(groupJoins, sql` `)}`;
  const open = grouping.closed.length > 0 ? sql`and not ${isClosedSql(group.value, grouping)}` : sql``;
  const condition = sql`${matchSql(scope, filter, needle)} ${open}`;
  const page = sql`select t.id ${source} ${join} where ${condition}
    order by ${sql.join(byGroup)}, ${placeSql(listQuery.order, 't')} ${expression} ${direction}, t.id ${direction}
    limit ${new Placeholder('limit')}::bigint offset ${new Placeholder('offset')}::bigint`;
  return { page, count: sql`select count(*)::integer as total ${source} where ${condition}` };
}

/** Whether the group of records without a value is closed. */
const isEmptyClosed = ({ closed: closedValues }: ListGrouping) => closedValues.includes('');

function isClosedSql(value: Sql, grouping: ListGrouping): Sql {
  const isNamed = sql`coalesce((${value})::text = any(${new Placeholder('closed')}::text[]), false)`;
  return isEmptyClosed(grouping) ? sql`(${isNamed} or ${value} is null)` : isNamed;
}
