import { sql } from 'kysely';
import { accessFilter } from '../../server/access/access-filter';
import type { RequestContext } from '../../server/access/request-context';
import { readRecord } from '../../server/records/read/read';
import { predicateToSql } from '../../server/sql/predicate-to-sql';
import { assertReadable } from '../run-overview/report';
import { listedEntries } from '../run-overview/results';
import { testCases } from './definitions';

/** How a test case was found last, and how long it takes. Of several tests in that run, one that failed counts. */
interface TestTime {
  readonly id: number;
  /** Null: it was never run. */
  readonly result: string | null;
  /** The mean of its earlier times; null if none is known. */
  readonly seconds: number | null;
  readonly is_changed: boolean;
}

/**
 * `GET projects/{id}/test-times`: the test cases of a project with their latest results and times, by which the length of a
 * run is estimated before it starts. Throws Forbidden and NotFound.
 */
export async function loadTestTimes(
  context: RequestContext,
  project: number,
): Promise<{ mean_seconds: number | null; cases: readonly TestTime[] }> {
  const { registry, program, evaluationContext } = context;
  await readRecord({ context, definition: registry.getOrThrow('projects') }, project, new Set(['id']));
  assertReadable(context);
  const definition = registry.getOrThrow(testCases);
  const visible = predicateToSql(
    accessFilter(context, definition, 'list'),
    definition,
    't',
    registry,
    evaluationContext,
  );
  const { rows } = await sql<TestTime>`
    with cases as materialized (
      select t.id, t.updated_at from public.test_cases t where t.project_id = ${project} and ${visible}
    ),
    times as (
      select e.test_case_id, avg(e.elapsed_seconds)::float8 as seconds from public.run_entries e
      where e.test_case_id in (select c.id from cases c) and e.result in ('passed', 'failed')
        and e.elapsed_seconds > 0 and ${listedEntries(context, 'e')}
      group by e.test_case_id
    ),
    latest as (
      select distinct on (e.test_case_id) e.test_case_id, e.result, e.pinned_at from public.run_entries e
      where e.test_case_id in (select c.id from cases c) and e.result <> 'not_run' and ${listedEntries(context, 'e')}
      order by e.test_case_id, e.run_id desc, (e.result in ('failed', 'broken', 'blocked')) desc, e.id desc
    )
    select c.id, l.result, s.seconds, coalesce(c.updated_at > l.pinned_at, false) as is_changed
    from cases c left join latest l on l.test_case_id = c.id left join times s on s.test_case_id = c.id
    order by c.id`.execute(program.database.kysely);
  const times = rows.flatMap(({ seconds }) => (seconds === null ? [] : [seconds]));
  const mean = times.length === 0 ? null : times.reduce((sum, seconds) => sum + seconds, 0) / times.length;
  return { mean_seconds: mean, cases: rows };
}
