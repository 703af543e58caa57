import { sql, type RawBuilder } from 'kysely';
import type { RequestContext } from '../../server/access/request-context';
import { accessFilter, archiveFilter } from '../../server/access/access-filter';
import type { Registry } from '../../engine/registry/registry';
import { predicateToSql } from '../../server/sql/predicate-to-sql';
import type { ResultCounts, ResultName } from '../answers/results';
import { entries } from '../test-runs/definitions';

export const noResults: ResultCounts = { passed: 0, failed: 0, blocked: 0, skipped: 0, flaky: 0, not_run: 0 };

/** A run whose results are counted. */
export interface CountedRun {
  readonly id: number;
  readonly project_id: number;
  readonly milestone_id: number | null;
  readonly branch: string | null;
}

/** Which rows are counted, each a condition on the alias that is given. */
export interface CountedRows {
  readonly entries: (alias: string) => RawBuilder<unknown>;
  readonly timeZone: string;
  /** ISO 8601. */
  readonly now: string;
}

/** A stored result as one of these words. */
export function resultSql(result: RawBuilder<unknown>): RawBuilder<unknown> {
  return sql`(case when ${result} = 'broken' then 'failed' else ${result} end)`;
}

/** The tests of runs that a caller may list, as a condition on `alias`; throws Forbidden without the grant. */
export function listedEntries(context: RequestContext, alias: string): RawBuilder<unknown> {
  const definition = context.registry.getOrThrow(entries);
  const visibleRecords = accessFilter(context, definition, 'list');
  return predicateToSql(visibleRecords, definition, alias, context.registry, context.evaluationContext);
}

/** The tests of runs that a visitor with the link of a run sees: all that are not archived. */
export function sharedEntries(registry: Registry, alias: string): RawBuilder<unknown> {
  const definition = registry.getOrThrow(entries);
  return predicateToSql(archiveFilter(registry, definition), definition, alias, registry, null);
}

/** The results of tests until an instant, or from then on: how many more have a result, and the time spent. */
export interface ResultChange {
  /** The start of the hour or day, ISO 8601. */
  readonly at: string;
  readonly result: ResultName;
  readonly count: number;
  readonly seconds: number;
}

/**
 * How the results of tests changed, recounted from their attempts: each test begins as not run, and each attempt takes
 * it from one result to the next. One statement. By the hour for what took two weeks at most, otherwise by the day.
 *
 * @param tests a query for `id`, `result` and `created_at` of tests.
 * @param timeZone in which days begin.
 * @returns the changes in the order of time; added up, they are the results at that moment.
 */
export function resultChanges(tests: RawBuilder<unknown>, timeZone: string, unit?: 'day'): RawBuilder<ResultChange> {
  return sql<ResultChange>`
    with counted as (${tests}),
    tried as (
      select a.created_at as at, coalesce(a.elapsed_seconds, 0) as seconds, row_number() over w = 1 as is_first,
        least(c.created_at, min(a.created_at) over (partition by a.entry_id)) as added_at,
        ${resultSql(sql`(case when lead(a.id) over w is null then c.result else a.result end)`)} as result,
        lag(${resultSql(sql`a.result`)}) over w as before
      from public.attempts a join counted c on c.id = a.entry_id
      window w as (partition by a.entry_id order by a.id)
    ),
    changed as (
      select c.created_at as at, 'not_run' as result, 1 as count, 0 as seconds
      from counted c where not exists (select from public.attempts a where a.entry_id = c.id)
      -- Not joined: of runs much larger than others PostgreSQL expects few rows, and would compare each with each.
      union all select t.added_at, 'not_run', 1, 0 from tried t where t.is_first
      union all select t.at, t.result, 1, t.seconds from tried t
      union all select t.at, coalesce(t.before, 'not_run'), -1, 0 from tried t
    ),
    span as (
      select case when ${unit ?? null}::text = 'day' or max(c.at) - min(c.at) > interval '14 days'
        then 'day' else 'hour' end as unit from changed c
    )
    select date_trunc(s.unit, c.at, ${timeZone}) as at, c.result, sum(c.count)::integer as count, sum(c.seconds)::float8 as seconds
    from changed c cross join span s group by 1, 2 order by 1, 2`;
}

/** The results at each moment at which they changed. */
export function addUpChanges(
  changes: readonly ResultChange[],
): { at: string; counts: ResultCounts; seconds: number }[] {
  const moments: { at: string; counts: ResultCounts; seconds: number }[] = [];
  for (const { at: time, result, count, seconds } of changes) {
    const last = moments.at(-1);
    const counts = last?.counts ?? noResults;
    const next = {
      at: time,
      counts: { ...counts, [result]: counts[result] + count },
      seconds: (last?.seconds ?? 0) + seconds,
    };
    if (last?.at === time) moments[moments.length - 1] = next;
    else moments.push(next);
  }
  return moments;
}
