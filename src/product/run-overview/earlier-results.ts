import { sql, type RawBuilder } from 'kysely';
import type { CountedRun } from './results';

/** Which earlier results of a test count, as SQL on the run `r` and the entry `p` before the entry `e`. */
interface EarlierResults {
  readonly project: number;
  readonly runs: RawBuilder<unknown>;
  readonly configurations: RawBuilder<unknown>;
  readonly visible: RawBuilder<unknown>;
}

/**
 * The result that the test `e` had when it was last run before; null if there is none. Goes back through the runs of each
 * test by an index and ends with the first that counts: a test may have been run ten thousand times.
 */
export function latestResultBefore({ project, runs, configurations, visible }: EarlierResults): RawBuilder<string> {
  const latestBy = (column: string) => sql`(select p.result, p.run_id
    from public.run_entries p join public.test_runs r on r.id = p.run_id
    where ${sql.ref(`e.${column}`)} is not null and ${sql.ref(`p.${column}`)} = ${sql.ref(`e.${column}`)} and p.run_id < e.run_id
      and p.result <> 'not_run' and ${configurations} and r.project_id = ${project} and ${runs} and ${visible}
    order by p.run_id desc limit 1)`;
  return sql<string>`(select x.result from (${latestBy('automated_test_id')} union all ${latestBy('test_case_id')}) x
    order by x.run_id desc limit 1)`;
}

/** The earlier result was on the same configuration. */
export const onSameConfiguration = sql`p.configuration_id is not distinct from e.configuration_id`;

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
  const runs =
    branch === null
      ? sql`r.branch is null and r.milestone_id is not distinct from ${milestone_id}::bigint`
      : sql`r.branch = ${branch}`;
  const latest = latestResultBefore({ project: project_id, runs, configurations: onSameConfiguration, visible });
  return sql<boolean>`coalesce(${latest} in ('failed', 'broken'), false)`;
}
