import { sql } from 'kysely';
import { dayInTimeZone } from '../../engine/formats/dates';
import { accessFilter, accessFilterIfGranted } from '../../server/access/access-filter';
import type { RequestContext } from '../../server/access/request-context';
import { readRecord } from '../../server/records/read/read';
import { predicateToSql } from '../../server/sql/predicate-to-sql';
import { runs } from '../test-runs/definitions';
import { assertReadable } from './report';
import type { LoadingPart } from '../answers/loading-parts';
import type { ResultCounts } from '../answers/results';
import { loadingParts } from '../test-results/stored-uploads';
import type { RunFigures } from '../answers/run-figures';
import { addUpChanges, listedEntries, resultChanges, type CountedRun } from './results';
import { loadRunFigures } from './run-figures';

/** `GET test-runs/{id}/overview`: the figures of a run, and the run that its new failures are new since. */
export interface RunOverview extends RunFigures {
  readonly earlier: { readonly id: number; readonly key: string | null; readonly name: string } | null;
  /** Parts whose results are still being stored: the figures are of what is there. */
  readonly loading: LoadingPart[];
}

/** Throws Forbidden and NotFound. */
export async function loadRunOverview(context: RequestContext, id: number): Promise<RunOverview> {
  const { registry, program } = context;
  const definition = registry.getOrThrow(runs);
  const run = (await readRecord({ context, definition }, id)) as unknown as CountedRun;
  assertReadable(context);
  const rows = {
    entries: (alias: string) => listedEntries(context, alias),
    timeZone: context.timeZone,
    now: context.now,
  };
  const { kysely } = program.database;
  const [figures, earlierRuns, loading] = await Promise.all([
    loadRunFigures(kysely, run, rows),
    findEarlierRun(context, run),
    loadingParts(kysely, id),
  ]);
  return { ...figures, earlier: earlierRuns, loading };
}

async function findEarlierRun(context: RequestContext, run: CountedRun): Promise<RunOverview['earlier']> {
  const definition = context.registry.getOrThrow(runs);
  const filter = accessFilterIfGranted(context, definition, 'list');
  if (!filter) return null;
  const visible = predicateToSql(filter, definition, 'r', context.registry, context.evaluationContext);
  const isSameRun =
    run.branch === null
      ? sql`r.branch is null and r.milestone_id is not distinct from ${run.milestone_id}::bigint`
      : sql`r.branch = ${run.branch}`;
  const { rows } = await sql<{ id: number; key: string | null; name: string }>`
    select r.id, r.key, r.name from public.test_runs r
    where r.project_id = ${run.project_id} and r.id < ${run.id} and ${isSameRun} and ${visible}
    order by r.id desc limit 1`.execute(context.program.database.kysely);
  return rows[0] ?? null;
}

/** The results of all tests of a milestone at the end of a day. */
export interface TrendPoint extends ResultCounts {
  /** YYYY-MM-DD. */
  readonly day: string;
}

/**
 * `GET milestones/{id}/trend`: the days on which results of its runs changed, recounted from attempts. Throws Forbidden
 * and NotFound.
 */
export async function loadMilestoneTrend(context: RequestContext, id: number): Promise<readonly TrendPoint[]> {
  const { registry, program, evaluationContext, timeZone } = context;
  await readRecord({ context, definition: registry.getOrThrow('milestones') }, id, new Set(['id']));
  assertReadable(context);
  const definition = registry.getOrThrow(runs);
  const visible = predicateToSql(
    accessFilter(context, definition, 'list'),
    definition,
    'r',
    registry,
    evaluationContext,
  );
  const tests = sql`select e.id, e.result, e.created_at from public.run_entries e
    join public.test_runs r on r.id = e.run_id
    where r.milestone_id = ${id} and ${visible} and ${listedEntries(context, 'e')}`;
  const { rows } = await resultChanges(tests, timeZone, 'day').execute(program.database.kysely);
  return addUpChanges(rows).map(({ at: time, counts }) => ({
    day: dayInTimeZone(timeZone, new Date(time)),
    ...counts,
  }));
}
