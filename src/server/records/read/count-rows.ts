import { sql } from 'kysely';
import type { Predicate } from '../../../engine/conditions/grammar';
import type { RecordScope } from '../../access/record-scope';
import type { Statement } from '../../database/statements';
import { firstOf } from '../../../engine/values/lookups';
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
 * Counts the rows of a list. Where an estimate will do, no more than 100,001 rows are counted; what is beyond is what
 * PostgreSQL expects, to two digits, since it does not know more. A count that is known exactly anyway is taken.
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
  const known = await totals.lastTotal(exact);
  if (known?.isGood) return { total: known.total, isEstimate: false };
  const total = await totals.count(boundedStatement(scope, filter, listQuery), registry);
  if (total <= maxCountedRows) return { total, isEstimate: false };
  const { sql: text, parameters } = matchesStatement(scope, filter, listQuery);
  const plan = firstOf(await totals.rows({ sql: `explain (format json) ${text}`, parameters }, registry));
  const [{ Plan: root }] = plan['QUERY PLAN'] as [{ Plan: { 'Plan Rows': number } }];
  return { total: Number(Math.max(root['Plan Rows'], maxCountedRows).toPrecision(2)), isEstimate: true };
}

function matchesStatement(scope: RecordScope, filter: Predicate, listQuery: Pick<ListQuery, 'search'>): Statement {
  return limitedStatement(scope, filter, listQuery, 'matches', (rows) => rows);
}

function boundedStatement(scope: RecordScope, filter: Predicate, listQuery: Pick<ListQuery, 'search'>): Statement {
  return limitedStatement(
    scope,
    filter,
    listQuery,
    'bounded',
    (rows) => sql`select count(*)::integer as total from (${rows} limit ${sql.lit(maxCountedRows + 1)}) counted`,
  );
}

/** A statement about the rows of a list, which `write` makes of their query. */
function limitedStatement(
  scope: RecordScope,
  filter: Predicate,
  listQuery: Pick<ListQuery, 'search'>,
  name: string,
  write: (rows: ReturnType<typeof sql>) => ReturnType<typeof sql>,
): Statement {
  const { context, definition } = scope;
  const needle = searchTermOf(listQuery, 'scan');
  const key = `${name}|${audienceKey(context)}|${searchTermKey(needle)}|${conditionKey(context, definition, filter)}`;
  const plan = cachedStatement(context, key, () =>
    write(sql`select from ${sql.id('public', definition.table)} t where ${matchSql(scope, filter, needle)}`),
  );
  return bindSearchTerm(plan, needle);
}
