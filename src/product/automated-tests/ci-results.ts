import { sql } from 'kysely';
import type { RequestContext } from '../../server/access/request-context';
import { readRecord } from '../../server/records/read/read';
import type { CiResult, CiResults } from '../answers/ci-results';
import { entries, runs, testCases } from '../test-runs/definitions';
import { listCondition } from '../test-runs/list-condition';
import { causeOf } from './cause';
import { tests } from './definitions';
import { oneRow } from '../../server/database/one-row';

/** How many failures and flaky tests are answered. */
const maxResults = 2_000;

/** `GET test-runs/{id}/ci-results`. Throws Forbidden or NotFound. */
export async function loadCiResults(context: RequestContext, id: number): Promise<CiResults> {
  const run = await readRecord({ context, definition: context.registry.getOrThrow(runs) }, id);
  const { kysely } = context.program.database;
  const visible = listCondition(context, entries, 'e');
  const { rows: previous } = await sql<{ id: number; key: string }>`select r.id, r.key from public.test_runs r
    where r.project_id = ${run.project_id as number} and r.source = 'machines' and r.id < ${id}
      and r.branch is not distinct from ${(run.branch ?? null) as string | null}::text and ${listCondition(context, runs, 'r')}
    order by r.id desc limit 1`.execute(kysely);
  const { seconds, ...counts } = oneRow(
    await sql<CiResults['counts'] & { seconds: number }>`select
      count(*) filter (where e.result = 'passed')::integer as passed, count(*) filter (where e.result = 'failed')::integer as failed,
      count(*) filter (where e.result = 'broken')::integer as broken, count(*) filter (where e.result = 'blocked')::integer as blocked,
      count(*) filter (where e.result = 'skipped')::integer as skipped, count(*) filter (where e.result = 'flaky')::integer as flaky,
      count(*) filter (where e.result = 'not_run')::integer as not_run, coalesce(sum(e.elapsed_seconds), 0)::float8 as seconds
    from public.run_entries e where e.run_id = ${id} and ${visible}`.execute(kysely),
  );
  const { rows } = await sql<Omit<CiResult, 'cause'>>`
    select e.id, e.name, e.result, k.name as configuration, e.elapsed_seconds::float8 as seconds,
      case when a.id is not null then json_build_object('id', a.id, 'file', a.file, 'suite', a.suite, 'parameters', a.parameters,
        'quarantined_until', case when a.quarantined_until >= ${context.today}::date then a.quarantined_until end) end as test,
      case when c.id is not null then json_build_object('id', c.id, 'key', c.key, 'name', c.name) end as test_case,
      coalesce(e.result in ('failed', 'broken') and before.result not in ('failed', 'broken'), e.result in ('failed', 'broken')) as is_new,
      l.message
    from public.run_entries e
    left join public.configurations k on k.id = e.configuration_id and ${listCondition(context, 'configurations', 'k')}
    left join public.automated_tests a on a.id = e.automated_test_id and ${listCondition(context, tests, 'a')}
    left join public.test_cases c on c.id = coalesce(e.test_case_id, a.test_case_id) and ${listCondition(context, testCases, 'c')}
    left join lateral (select p.result from public.run_entries p where p.run_id = ${previous[0]?.id ?? null}::bigint
      and p.automated_test_id = e.automated_test_id
      and (p.configuration_id is not distinct from e.configuration_id or p.configuration_id is null)
      order by (p.configuration_id is not distinct from e.configuration_id) desc limit 1) before on true
    left join lateral (select t.message from public.attempts t where t.entry_id = e.id
      and t.result in ('failed', 'broken') order by t.id desc limit 1) l on true
    where e.run_id = ${id} and e.result in ('failed', 'broken', 'flaky') and ${visible}
    order by e.position, e.id limit ${maxResults}`.execute(kysely);
  const results = rows.map((row) => ({ ...row, cause: causeOf(row.message) }));
  return { previous: previous[0] ?? null, counts, seconds, results };
}
