import { percentOf } from '../../engine/formats/shares';
import { resultNames, type ResultCounts } from '../answers/results';
import type { FailureGroup, ModuleCounts, RunFigures } from '../answers/run-figures';
import { sql } from 'kysely';
import type { Queries } from '../../server/database/database';
import { hadFailedBefore } from './earlier-results';
import {
  addUpChanges,
  noResults,
  resultChanges,
  resultSql,
  type CountedRows,
  type CountedRun,
  type ResultChange,
} from './results';
import { firstOf } from '../../engine/values/lookups';
import { oneRow } from '../../server/database/one-row';

/** Counts a run, in four statements for any number of tests. */
export async function loadRunFigures(queries: Queries, run: CountedRun, rows: CountedRows): Promise<RunFigures> {
  const [modules, failed, changes, times] = await Promise.all([
    countModules(queries, run, rows),
    findFailures(queries, run, rows),
    resultChanges(
      sql`select e.id, e.result, e.created_at from public.run_entries e where e.run_id = ${run.id} and ${rows.entries('e')}`,
      rows.timeZone,
    ).execute(queries),
    loadTimes(queries, run, rows),
  ]);
  const counts = addCounts(modules);
  const total = modules.reduce((sum, module) => sum + module.total, 0);
  const run_count = total - counts.not_run;
  const failures = groupFailures(failed);
  const moments = addUpChanges(changes.rows);
  const elapsed_seconds = moments.at(-1)?.seconds ?? 0;
  // Without an earlier time, a test takes as long as the others do.
  const typical = times.mean ?? (times.attempts > 0 && elapsed_seconds > 0 ? elapsed_seconds / times.attempts : null);
  const untimed = counts.not_run - times.timed_left;
  const remaining_seconds =
    typical === null ? (counts.not_run === 0 ? 0 : null) : times.seconds_left + untimed * typical;
  const weightOf = (timedCount: number, seconds: number, count: number) =>
    seconds + (count - timedCount) * (typical ?? 1);
  return {
    total,
    counts,
    pass_rate: percentOf(counts.passed, run_count, 1),
    modules,
    failures,
    new_failures: failures.reduce((sum, group) => sum + group.new.length, 0),
    elapsed_seconds: Math.round(elapsed_seconds),
    remaining_seconds: remaining_seconds === null ? null : Math.round(remaining_seconds),
    timed: times.timed_left,
    burndown: burndownOf(changes.rows),
    forecast_at: forecast({
      left: weightOf(times.timed_left, times.seconds_left, counts.not_run),
      done: weightOf(times.timed_done, times.seconds_done, run_count),
      first: times.first_at,
      now: rows.now,
    }),
    first_at: times.first_at,
    last_at: times.last_at,
  };
}

const countColumns = sql.join(
  resultNames.map(
    (name) => sql`(count(*) filter (where ${resultSql(sql`e.result`)} = ${sql.lit(name)}))::integer as ${sql.id(name)}`,
  ),
);

async function countModules(queries: Queries, run: CountedRun, rows: CountedRows): Promise<ModuleCounts[]> {
  const { rows: moduleRows } = await sql<ModuleCounts>`
    select m.name as module, count(*)::integer as total, ${countColumns}
    from public.run_entries e left join public.test_cases c on c.id = e.test_case_id
      left join public.project_modules m on m.id = c.project_module
    where e.run_id = ${run.id} and ${rows.entries('e')}
    group by m.id, m.name order by min(e.position), m.id`.execute(queries);
  return moduleRows;
}

function addCounts(groups: readonly ResultCounts[]): ResultCounts {
  const counts: Record<keyof ResultCounts, number> = { ...noResults };
  for (const group of groups) for (const name of resultNames) counts[name] += group[name];
  return counts;
}

interface FailedEntry {
  readonly id: number;
  readonly message: string | null;
  readonly is_new: boolean;
}

async function findFailures(queries: Queries, run: CountedRun, rows: CountedRows): Promise<FailedEntry[]> {
  const { rows: failedRows } = await sql<FailedEntry>`
    select e.id, left(coalesce(a.message, e.comment), 500) as message,
      not ${hadFailedBefore(run, rows.entries('p'))} as is_new
    from public.run_entries e
      left join lateral (select l.message from public.attempts l where l.entry_id = e.id order by l.id desc limit 1) a on true
    where e.run_id = ${run.id} and e.result in ('failed', 'broken') and ${rows.entries('e')}
    order by e.position, e.id`.execute(queries);
  return failedRows;
}

/** Failures by their message, the most frequent first. Numbers in it tell none apart: each run has others. */
function groupFailures(failed: readonly FailedEntry[]): FailureGroup[] {
  const groups = new Map<string, { message: string; entries: number[]; new: number[] }>();
  for (const { id, message, is_new } of failed) {
    const firstLine = firstOf((message ?? '').trim().split('\n', 1))
      .trim()
      .slice(0, 300);
    const key = firstLine.replace(/\d+/g, '#').replace(/\s+/g, ' ').toLowerCase();
    const group = groups.get(key) ?? { message: firstLine, entries: [], new: [] };
    groups.set(key, group);
    group.entries.push(id);
    if (is_new) group.new.push(id);
  }
  return [...groups.values()].sort((left, right) => right.entries.length - left.entries.length);
}

interface Times {
  /** Seconds that a test of this run took in earlier runs. */
  readonly mean: number | null;
  readonly timed_left: number;
  readonly seconds_left: number;
  readonly timed_done: number;
  readonly seconds_done: number;
  /** How many attempts have a time. */
  readonly attempts: number;
  readonly first_at: string | null;
  readonly last_at: string | null;
}

/** Estimates the time that the tests of a run take: the mean of the same test cases in other runs. */
async function loadTimes(queries: Queries, run: CountedRun, rows: CountedRows): Promise<Times> {
  return oneRow(
    await sql<Times>`
    with own as (
      select e.id, e.test_case_id, e.result = 'not_run' as is_left from public.run_entries e
      where e.run_id = ${run.id} and ${rows.entries('e')}
    ),
    earlier as (
      select p.test_case_id, avg(p.elapsed_seconds)::float8 as seconds
      from public.run_entries p
      where p.test_case_id in (select o.test_case_id from own o) and p.run_id <> ${run.id}
        and p.result in ('passed', 'failed') and p.elapsed_seconds > 0 and ${rows.entries('p')}
      group by p.test_case_id
    ),
    tried as (
      select min(a.created_at) as first_at, max(a.created_at) as last_at,
        (count(*) filter (where a.elapsed_seconds > 0))::integer as attempts
      from public.attempts a where a.entry_id in (select o.id from own o)
    )
    select avg(t.seconds)::float8 as mean,
      (count(t.seconds) filter (where o.is_left))::integer as timed_left,
      coalesce(sum(t.seconds) filter (where o.is_left), 0)::float8 as seconds_left,
      (count(t.seconds) filter (where not o.is_left))::integer as timed_done,
      coalesce(sum(t.seconds) filter (where not o.is_left), 0)::float8 as seconds_done,
      (select r.attempts from tried r) as attempts, (select r.first_at from tried r) as first_at,
      (select r.last_at from tried r) as last_at
    from own o left join earlier t on t.test_case_id = o.test_case_id`.execute(queries),
  );
}

function burndownOf(changes: readonly ResultChange[]): { at: string; left: number }[] {
  const points: { at: string; left: number }[] = [];
  for (const { at: time, counts } of addUpChanges(changes)) {
    if (points.at(-1)?.left !== counts.not_run) points.push({ at: time, left: counts.not_run });
  }
  return points;
}

/** A year: what is further away says nothing. */
const longestForecast = 366 * 86_400_000;

interface Pace {
  /** The remaining work and the completed work, in the same unit. */
  readonly left: number;
  readonly done: number;
  readonly first: string | null;
  readonly now: string;
}

/** When the rest is done if it goes on as it went since the first attempt. */
function forecast({ left, done: doneCount, first, now }: Pace): string | null {
  if (left <= 0 || doneCount <= 0 || first === null) return null;
  const spent = Date.parse(now) - Date.parse(first);
  const neededTime = (Math.max(spent, 0) * left) / doneCount;
  return neededTime > longestForecast ? null : new Date(Date.parse(now) + neededTime).toISOString();
}
