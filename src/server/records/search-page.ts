import { sql } from 'kysely';
import type { Predicate } from '../../engine/conditions/grammar';
import type { Definition, ResourceRecord } from '../../engine/definitions/definition';
import { levelKey } from '../access/readable-fields';
import type { RequestContext } from '../access/request-context';
import { createSearchTerm } from '../sql/search';
import { replanMarker, type Statement } from '../database/statements';
import { countStatement, matchSql, searchTermOf, searchTermKey, bindSearchTerm } from './list-match';
import { orderSql } from './order-sql';
import { bind, cachedStatement, Placeholder, conditionKey } from './statement-cache';
import type { ListQuery } from './query/list-query';
import { orderKey } from './query/order';
import { queryCacheOf } from '../sql/query-cache';

/** The ids of a page in its order, and the total number of rows. */
export interface PageIds {
  readonly ids: readonly number[];
  readonly total: number;
}

/** Up to this many rows, a search finds all rows before it picks a page. */
const MAX_SORTED_ROWS = 5_000;
/** Pages of up to this many rows are cached until a table changes. */
const MAX_CACHED_PAGE = 100;
/** How many rows are sampled to find out whether a text is frequent. */
const SAMPLE_SIZE = 100;
/** A text is frequent if this many rows of the sample contain it. */
const FREQUENT_IN_SAMPLE = 20;

/**
 * A page of search results. Finding the rows is the expensive part, so one scan returns both the page and its total.
 * Undefined if there are so many results that walking the list in its order fills a page sooner, while they are
 * counted. For a text without a recent count, a sample of rows decides before any others are read.
 */
export async function findSearchPage(
  context: RequestContext,
  definition: Definition,
  where: Predicate,
  listQuery: ListQuery,
  page: { readonly limit: number | null; readonly offset: number },
): Promise<PageIds | undefined> {
  const { database } = context.program;
  const totals = queryCacheOf(database);
  const count = countStatement(context, definition, where, searchTermOf(listQuery, 'scan'));
  const last = await totals.lastTotal(count);
  if (last && last.total > MAX_SORTED_ROWS) return undefined;
  if (last?.isGood && last.total <= page.offset) return { ids: [], total: last.total };
  const found = (sample: boolean) => bind(searchPageStatement(context, definition, where, listQuery, sample), page);
  const read = () => database.query(found(last === undefined));
  const isKept = page.limit !== null && page.limit <= MAX_CACHED_PAGE;
  const reading = isKept ? totals.freshRows(found(false), context.registry, read) : read();
  if (!last?.isGood) totals.addTotal(count, context.registry, reading.then(totalOf));
  const rows = await reading;
  const total = totalOf(rows);
  return total === undefined ? undefined : { ids: rows[0]!.ids as number[], total };
}

/** Undefined if the rows were not counted. */
function totalOf([row]: readonly ResourceRecord[]): number | undefined {
  return (row!.total as number | null) ?? undefined;
}

/**
 * Returns one row: the `ids` of a page in their order, and the `total`, which is null if a `sample` shows that the text
 * is frequent; then PostgreSQL does not even start to search. Placeholders are `limit` (null: none) and `offset`.
 */
function searchPageStatement(
  context: RequestContext,
  definition: Definition,
  where: Predicate,
  { order, search }: ListQuery,
  sample: boolean,
): Statement {
  const needle = createSearchTerm(search!);
  const key = `found|${sample ? 'sample|' : ''}${levelKey(context.actor)}|${orderKey(order)}|${searchTermKey(needle)}|${conditionKey(context, definition, where)}`;
  const plan = cachedStatement(context.program.database, key, () => {
    const { expression, join } = orderSql(context, definition, order);
    const direction = sql.raw(order.descending ? 'desc' : 'asc');
    const few = sql`select not ${isFrequentSql(context, definition, where, search!)} as holds`;
    const isFew = sample ? sql`(select holds from few)` : sql`true`;
    return sql`with ${sample ? sql`few as materialized (${few}),` : sql``} found as materialized (
        select t.id, ${expression} as "order by" from ${sql.id('public', definition.table)} t ${join}
        where ${isFew} and ${matchSql(context, definition, where, needle)}
      ), page as (
        select * from found order by "order by" ${direction}, id ${direction}
        limit ${new Placeholder('limit')}::integer offset ${new Placeholder('offset')}::integer
      )
      select array(select id from page order by "order by" ${direction}, id ${direction}) as ids,
        case when ${isFew} then (select count(*)::integer from found) end as total ${sql.raw(replanMarker)}`;
  });
  return bindSearchTerm(plan, needle);
}

/**
 * Whether the table is large and the search is likely to find many rows, judged by a random sample from the whole
 * table. The first rows would not do: they may not be representative.
 */
function isFrequentSql(context: RequestContext, definition: Definition, where: Predicate, search: string) {
  const table = sql.id('public', definition.table);
  const matched = matchSql(context, definition, where, createSearchTerm(search, 'walk'));
  return sql`((select reltuples from pg_class where oid = ${`public."${definition.table}"`}::regclass) > ${sql.lit(MAX_SORTED_ROWS)}
    and (select count(*) >= ${sql.lit(FREQUENT_IN_SAMPLE)} from ${table} t where ${matched} and t.id = any(array(
      select 1 + floor(random() * (select max(id) from ${table}))::integer from generate_series(1, ${sql.lit(SAMPLE_SIZE)})))))`;
}
