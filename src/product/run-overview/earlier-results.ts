import { sql, type RawBuilder } from 'kysely';
import type { CountedRun } from './results';

/**
 * Whether the test `e` had failed when it was last run: on the same configuration, in an earlier run of the same branch,
 * or of the same milestone where people give the results.
 *
 * @param visible which earlier tests, with the alias `p`, may be looked at.
 */
export function hadFailedBefore(
  { project_id, milestone_id, branch }: Omit<CountedRun, 'id'>,
  visible: RawBuilder<unknown>,
): RawBuilder<boolean> {
  const same =
    branch === null
      ? sql`r.branch is null and r.milestone_id is not distinct from ${milestone_id}::integer`
      : sql`r.branch = ${branch}`;
  return sql<boolean>`coalesce((
    select p.result in ('failed', 'broken')
    from public.run_entries p join public.test_runs r on r.id = p.run_id
    where p.run_id < e.run_id and r.project_id = ${project_id} and ${same} and p.result <> 'not_run'
      and (p.automated_test_id = e.automated_test_id or p.test_case_id = e.test_case_id)
      and p.configuration_id is not distinct from e.configuration_id and ${visible}
    order by p.run_id desc limit 1), false)`;
}
