import { sql } from 'kysely';
import type { Predicate } from '../../engine/conditions/grammar';
import type { Definition } from '../../engine/definitions/definition';
import { levelsOf } from '../access/readable';
import type { RequestContext } from '../access/request-context';
import { needleOf } from '../conditions/search';
import type { Row } from '../database/database';
import type { Statement } from '../database/statements';
import { countStatement, matchedSql, needleKey, withNeedle } from './matched';
import { orderSql } from './order-sql';
import { filled, planned, Slot } from './plans';
import type { ListQuery } from './query/list-query';
import { orderKey } from './query/order';
import { conditionKey } from './selection-key';
import { totalsOf } from './totals';

/** The ids of a page in its order, and how many rows there are in all. */
export interface Found {
  readonly ids: readonly number[];
  readonly total: number;
}

/** Up to how many rows a search finds all of them before it picks a page. */
const FEW = 5_000;

/**
 * A page of what a search finds. Finding the rows is what costs, so that one scan answers both the page and its total.
 * Undefined where so many are known to be found that a page is met
 * sooner on a walk through the list in its order.
 */
export async function findPage(
  context: RequestContext,
  definition: Definition,
  where: Predicate,
  asked: ListQuery,
  page: { readonly limit: number | null; readonly offset: number },
): Promise<Found | undefined> {
  const { database } = context.program;
  const totals = totalsOf(database);
  const count = countStatement(context, definition, where, asked.search);
  const known = await totals.known(count);
  if (known !== undefined && known > FEW) return undefined;
  const reading = database.named(filled(foundStatement(context, definition, where, asked), page));
  totals.learn(count, context.registry, reading.then(totalIn));
  const rows = await reading;
  return { ids: rows[0]!.ids as number[], total: totalIn(rows) };
}

function totalIn([row]: readonly Row[]): number {
  return row!.total as number;
}

/** One row of the `ids` of a page in their order, and of the `total`. Its slots are `limit` (null: none) and `offset`. */
function foundStatement(
  context: RequestContext,
  definition: Definition,
  where: Predicate,
  { order, search }: ListQuery,
): Statement {
  const needle = needleOf(search!);
  const key = `found|${levelsOf(context.actor)}|${orderKey(order)}|${needleKey(needle)}|${conditionKey(context, definition, where)}`;
  const plan = planned(context.program.database, key, () => {
    const { expression, join } = orderSql(context, definition, order);
    const direction = sql.raw(order.descending ? 'desc' : 'asc');
    return sql`with found as materialized (
        select t.id, ${expression} as "order by" from ${sql.id('public', definition.table)} t ${join}
        where ${matchedSql(context, definition, where, needle)}
      ), page as (
        select * from found order by "order by" ${direction}, id ${direction}
        limit ${new Slot('limit')}::integer offset ${new Slot('offset')}::integer
      )
      select array(select id from page order by "order by" ${direction}, id ${direction}) as ids,
        (select count(*)::integer from found) as total`;
  });
  return withNeedle(plan, needle);
}
