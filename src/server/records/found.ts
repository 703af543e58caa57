import { sql } from 'kysely';
import type { Predicate } from '../../engine/conditions/grammar';
import type { Definition, ResourceRecord } from '../../engine/definitions/definition';
import { levelsOf } from '../access/readable';
import type { RequestContext } from '../access/request-context';
import { needleOf } from '../conditions/search';
import { plannedForValues, type Statement } from '../database/statements';
import { countStatement, matchedSql, needleFor, needleKey, withNeedle } from './matched';
import { orderSql } from './order-sql';
import { filled, planned, Slot } from './plans';
import type { ListQuery } from './query/list-query';
import { orderKey } from './query/order';
import { conditionKey } from './selection-key';
import { totalsOf } from './totals';

/** The ids of a page in its order, and the total number of rows. */
export interface Found {
  readonly ids: readonly number[];
  readonly total: number;
}

/** Up to this many rows, a search finds all rows before it picks a page. */
const FEW = 5_000;
/** Pages of up to this many rows are cached until a table changes. */
const LONGEST_KEPT = 100;
/** How many rows are sampled to find out whether a text is frequent. */
const SAMPLE = 100;
/** A text is frequent if this many rows of the sample contain it. */
const OFTEN = 20;

/**
 * A page of search results. Finding the rows is the expensive part, so one scan returns both the page and its total.
 * Undefined if there are so many results that walking the list in its order fills a page sooner, while they are
 * counted. For a text without a recent count, a sample of rows decides before any others are read.
 */
export async function findPage(
  context: RequestContext,
  definition: Definition,
  where: Predicate,
  listQuery: ListQuery,
  page: { readonly limit: number | null; readonly offset: number },
): Promise<Found | undefined> {
  const { database } = context.program;
  const totals = totalsOf(database);
  const count = countStatement(context, definition, where, needleFor(listQuery, 'scan'));
  const last = await totals.last(count);
  if (last && last.total > FEW) return undefined;
  if (last?.isGood && last.total <= page.offset) return { ids: [], total: last.total };
  const found = (sample: boolean) => filled(foundStatement(context, definition, where, listQuery, sample), page);
  const read = () => database.named(found(last === undefined));
  const isKept = page.limit !== null && page.limit <= LONGEST_KEPT;
  const reading = isKept ? totals.current(found(false), context.registry, read) : read();
  if (!last?.isGood) totals.learn(count, context.registry, reading.then(totalIn));
  const rows = await reading;
  const total = totalIn(rows);
  return total === undefined ? undefined : { ids: rows[0]!.ids as number[], total };
}

/** Undefined if the rows were not counted. */
function totalIn([row]: readonly ResourceRecord[]): number | undefined {
  return (row!.total as number | null) ?? undefined;
}

/**
 * Returns one row: the `ids` of a page in their order, and the `total`, which is null if a `sample` shows that the text
 * is frequent; then PostgreSQL does not even start to search. Placeholders are `limit` (null: none) and `offset`.
 */
function foundStatement(
  context: RequestContext,
  definition: Definition,
  where: Predicate,
  { order, search }: ListQuery,
  sample: boolean,
): Statement {
  const needle = needleOf(search!);
  const key = `found|${sample ? 'sample|' : ''}${levelsOf(context.actor)}|${orderKey(order)}|${needleKey(needle)}|${conditionKey(context, definition, where)}`;
  const plan = planned(context.program.database, key, () => {
    const { expression, join } = orderSql(context, definition, order);
    const direction = sql.raw(order.descending ? 'desc' : 'asc');
    const few = sql`select not ${isOften(context, definition, where, search!)} as holds`;
    const isFew = sample ? sql`(select holds from few)` : sql`true`;
    return sql`with ${sample ? sql`few as materialized (${few}),` : sql``} found as materialized (
        select t.id, ${expression} as "order by" from ${sql.id('public', definition.table)} t ${join}
        where ${isFew} and ${matchedSql(context, definition, where, needle)}
      ), page as (
        select * from found order by "order by" ${direction}, id ${direction}
        limit ${new Slot('limit')}::integer offset ${new Slot('offset')}::integer
      )
      select array(select id from page order by "order by" ${direction}, id ${direction}) as ids,
        case when ${isFew} then (select count(*)::integer from found) end as total ${sql.raw(plannedForValues)}`;
  });
  return withNeedle(plan, needle);
}

/**
 * Whether the table is large and the search is likely to find many rows, judged by a random sample from the whole
 * table. The first rows would not do: they may not be representative.
 */
function isOften(context: RequestContext, definition: Definition, where: Predicate, search: string) {
  const table = sql.id('public', definition.table);
  const matched = matchedSql(context, definition, where, needleOf(search, 'walk'));
  return sql`((select reltuples from pg_class where oid = ${`public."${definition.table}"`}::regclass) > ${sql.lit(FEW)}
    and (select count(*) >= ${sql.lit(OFTEN)} from ${table} t where ${matched} and t.id = any(array(
      select 1 + floor(random() * (select max(id) from ${table}))::integer from generate_series(1, ${sql.lit(SAMPLE)})))))`;
}
