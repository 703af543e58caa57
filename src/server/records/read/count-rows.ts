import { sql } from 'kysely';
import type { Predicate } from '../../../engine/conditions/grammar';
import type { Definition } from '../../../engine/definitions/definition';
import type { RecordScope } from '../../access/record-scope';
import type { Statement } from '../../database/statements';
import { queryCacheOf } from '../../sql/query-cache';
import {
  bindSearchTerm,
  countStatement,
  matchSql,
  searchTermKey,
  searchTermOf,
  type RowCount,
} from './list-statements';
import type { TotalKind } from './page-key';
import type { ListQuery } from './query/list-query';
import { audienceKey, cachedStatement, conditionKey } from './statement-cache';

/** Up to this many rows, a total that may be estimated is exact. */
const maxCountedRows = 100_000;

/**
 * Counts the rows of a list. Where an estimate will do, no more than 100,001 rows are counted; what is beyond is
 * reckoned from a sample, to two digits, since it does not know more. A count that is known exactly anyway is taken.
 */
export async function countRows(
  scope: RecordScope,
  filter: Predicate,
  listQuery: Pick<ListQuery, 'search'>,
  kind: TotalKind,
): Promise<RowCount> {
  const { program, registry } = scope.context;
  const totals = queryCacheOf(program.database);
  const exact = countStatement(scope, filter, searchTermOf(listQuery, 'scan'));
  if (kind === 'exact') return { total: await totals.count(exact, registry), isEstimate: false };
  const lastTotal = await totals.lastTotal(exact);
  if (lastTotal?.isGood) return { total: lastTotal.total, isEstimate: false };
  const total = await totals.count(boundedStatement(scope, filter, listQuery), registry);
  if (total <= maxCountedRows) return { total, isEstimate: false };
  const expected = await totals.count(sampledStatement(scope, filter, listQuery), registry);
  return { total: Number(Math.max(expected, maxCountedRows).toPrecision(2)), isEstimate: true };
}

/** The exact number of rows when they were counted last, which may be some writes ago. */
export async function lastExactTotal(scope: RecordScope, filter: Predicate): Promise<number | undefined> {
  const { database } = scope.context.program;
  return (await queryCacheOf(database).lastTotal(countStatement(scope, filter, undefined)))?.total;
}

/** How many rows of a table a sample has. */
const sampledRows = 30_000;

/** The share of a table in a sample, in percent. */
const sampleShare = ({ table }: Definition) =>
  sql`(select least(100, ${sql.lit(sampledRows * 100)} / greatest(reltuples, 1)) from pg_class where oid = to_regclass(${sql.lit(`public."${table}"`)}))`;

/** A sample of the rows of a table, as `t`: the same as long as they are, so that what is said of it does not vary. */
export const sampleSql = (definition: Definition) =>
  sql`${sql.id('public', definition.table)} t tablesample system (${sampleShare(definition)}) repeatable (1)`;

function boundedStatement(scope: RecordScope, filter: Predicate, listQuery: Pick<ListQuery, 'search'>): Statement {
  return cachedCount(scope, filter, listQuery, 'bounded', (matches) => {
    const rows = sql`select from ${sql.id('public', scope.definition.table)} t where ${matches}`;
    return sql`select count(*)::integer as total from (${rows} limit ${sql.lit(maxCountedRows + 1)}) counted`;
  });
}

function sampledStatement(scope: RecordScope, filter: Predicate, listQuery: Pick<ListQuery, 'search'>): Statement {
  const { definition } = scope;
  return cachedCount(
    scope,
    filter,
    listQuery,
    'sampled',
    (matches) =>
      sql`select (count(*) * 100 / ${sampleShare(definition)})::bigint as total from ${sampleSql(definition)} where ${matches}`,
  );
}

/** A statement that counts rows of a list, which `write` makes of their condition. */
function cachedCount(
  scope: RecordScope,
  filter: Predicate,
  listQuery: Pick<ListQuery, 'search'>,
  name: string,
  write: (matches: ReturnType<typeof matchSql>) => ReturnType<typeof sql>,
): Statement {
  const needle = searchTermOf(listQuery, 'scan');
  const { context, definition } = scope;
  const key = `${name}|${audienceKey(context)}|${searchTermKey(needle)}|${conditionKey(context, definition, filter)}`;
  return bindSearchTerm(
    cachedStatement(context, key, () => write(matchSql(scope, filter, needle))),
    needle,
  );
}
