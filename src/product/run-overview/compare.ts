import { sql } from 'kysely';
import type { RequestContext } from '../../server/access/request-context';
import { accessFilterIfGranted } from '../../server/access/access-filter';
import { Invalid } from '../../server/errors/errors';
import { readRecord } from '../../server/records/read/read';
import { visibleTitleSql } from '../../server/sql/operands';
import { predicateToSql } from '../../server/sql/predicate-to-sql';
import type { ComparedResult, ComparedRun, ComparedTest, RunComparison, TestChange } from '../answers/run-comparison';
import { runs } from '../test-runs/definitions';
import { onSameConfiguration } from './earlier-results';
import { assertReadable } from './report';
import { listedEntries, noResults, resultSql, type CountedRun } from './results';

interface RunRow extends CountedRun {
  readonly key: string | null;
  readonly name: string;
  readonly created_at: string;
}

/** A test of one of the runs. */
interface EntryRow extends ComparedResult {
  readonly run_id: number;
  /** The same for the test in every run. */
  readonly test: string;
  readonly test_key: string | null;
  readonly test_case_id: number | null;
  readonly automated_test_id: number | null;
  readonly name: string;
  readonly configuration_id: number | null;
  readonly configuration: string | null;
}

/** A result of a test in a run of the project, up to the run that is compared with the base. */
interface PastResult {
  readonly test: string;
  readonly run_id: number;
  readonly run_key: string | null;
  readonly failed: boolean;
  readonly at: string;
  readonly cause: string | null;
  readonly cause_note: string | null;
  readonly defect_id: number | null;
  readonly defect: string | null;
  readonly is_defect_open: boolean;
}

const failures: ReadonlySet<string> = new Set(['failed', 'broken']);
/** How far back a row of failures is followed. */
const maxPast = 50;
const day = 86_400_000;
/** The statuses of tasks that are not completed, as the definition of tasks has them. */
const openStatuses = sql.join([1, 2]);

/**
 * `GET test-runs/{id}/compare/{other}`: the tests of two runs of a project beside each other, the base first: the earlier
 * run, unless `base` says otherwise. The cause, its note and the defect of a failure are each the one assigned to it, else the latest one of the same failure in the runs before, as
 * long as it failed in every run since. A defect that is completed ends what is carried on. Throws Forbidden, NotFound, and
 * Invalid for runs of two projects.
 */
export async function compareRuns(
  context: RequestContext,
  id: number,
  otherId: number,
  baseId?: number,
): Promise<RunComparison> {
  const definition = context.registry.getOrThrow(runs);
  const comparedRuns = await Promise.all(
    [id, otherId].map(async (run) => (await readRecord({ context, definition }, run)) as unknown as RunRow),
  );
  assertReadable(context);
  const base = baseId ?? Math.min(id, otherId);
  const [first, second] = comparedRuns.toSorted(
    (left, right) => Number(right.id === base) - Number(left.id === base),
  ) as [RunRow, RunRow];
  if (first.id === second.id) throw new Invalid({ other: 'A run is compared with another one.' });
  if (first.id !== base) throw new Invalid({ base: 'base must be one of both runs.' });
  if (first.project_id !== second.project_id)
    throw new Invalid({ other: 'These runs are of two projects, so they have no tests in common.' });
  const entries = await loadEntries(context, first.id, second.id);
  const pastResults = await loadPastResults(context, second);
  const tests = pairTests(entries, first.id);
  return {
    runs: [first, second].map((run) => describeRun(run, entries)),
    tests: tests.map((pair) => compareTest(pair, pastResults.get(pair.test) ?? [], second.id)),
  };
}

async function loadEntries(context: RequestContext, first: number, second: number): Promise<readonly EntryRow[]> {
  const title = (resource: string, alias: string) => {
    const target = context.registry.getOrThrow(resource);
    return sql`(case when ${sql.id(alias, 'id')} is not null then
      ${visibleTitleSql(context.actor, target, alias, context.registry)} end)`;
  };
  const { rows } = await sql<EntryRow>`
    select e.id, e.run_id, e.test_case_id, e.automated_test_id, coalesce('a' || e.automated_test_id, 'c' || e.test_case_id, 'n' || e.name) || ' ' ||
        coalesce(e.configuration_id::text, '') as test,
      c.key as test_key, e.name, e.configuration_id, ${title('configurations', 'f')} as configuration, e.result, e.elapsed_seconds as seconds,
      e.run_at, ${title('users', 'u')} as person, e.comment
    from public.run_entries e
      left join public.test_cases c on c.id = e.test_case_id
      left join public.configurations f on f.id = e.configuration_id
      left join public.users u on u.id = e.run_by
    where e.run_id in (${first}, ${second}) and ${listedEntries(context, 'e')}
    order by e.run_id = ${first}, e.position, e.id`.execute(context.program.database.kysely);
  return rows;
}

/**
 * The results of the tests that fail in the compared run, in it and in the runs before it, the latest first, by test. The
 * results of a test are read by an index and up to a limit: it may have been run ten thousand times.
 */
async function loadPastResults(
  context: RequestContext,
  run: RunRow,
): Promise<ReadonlyMap<string, readonly PastResult[]>> {
  const tasks = context.registry.getOrThrow('tasks');
  const filter = accessFilterIfGranted(context, tasks, 'view');
  const visibleTask = filter
    ? predicateToSql(filter, tasks, 'd', context.registry, context.evaluationContext)
    : sql`false`;
  const latestBy = (column: string) => sql`(select p.id
    from public.run_entries p join public.test_runs r on r.id = p.run_id
    where ${sql.ref(`p.${column}`)} = ${sql.ref(`e.${column}`)} and p.run_id <= ${run.id} and p.result <> 'not_run'
      and ${onSameConfiguration} and r.project_id = ${run.project_id} and ${listedEntries(context, 'p')}
    order by p.run_id desc limit ${maxPast})`;
  const { rows } = await sql<PastResult>`
    select coalesce('a' || e.automated_test_id, 'c' || e.test_case_id, 'n' || e.name) || ' ' ||
        coalesce(e.configuration_id::text, '') as test, p.run_id, r.key as run_key,
      ${resultSql(sql`p.result`)} = 'failed' as failed, coalesce(p.run_at, r.created_at) as at, p.cause, p.cause_note,
      d.id as defect_id,
      ${visibleTitleSql(context.actor, tasks, 'd', context.registry)} as defect,
      coalesce(d.status_id in (${openStatuses}), false) as is_defect_open
    from public.run_entries e
      cross join lateral (${latestBy('automated_test_id')} union ${latestBy('test_case_id')}) x
      join public.run_entries p on p.id = x.id join public.test_runs r on r.id = p.run_id
      left join public.tasks d on d.id = p.defect_id and ${visibleTask}
    where e.run_id = ${run.id} and e.result in ('failed', 'broken') and ${listedEntries(context, 'e')}
    order by p.run_id desc, p.id desc`.execute(context.program.database.kysely);
  const resultsByTest = new Map<string, PastResult[]>();
  for (const row of rows) resultsByTest.set(row.test, [...(resultsByTest.get(row.test) ?? []), row]);
  return resultsByTest;
}

interface Pair {
  readonly test: string;
  readonly first: EntryRow | null;
  readonly second: EntryRow | null;
}

/** Each test once, in the order of the compared run; those of the base alone come last. */
function pairTests(entries: readonly EntryRow[], baseId: number): readonly Pair[] {
  const pairs = new Map<string, { test: string; first: EntryRow | null; second: EntryRow | null }>();
  for (const entry of entries) {
    const pair = pairs.get(entry.test) ?? { test: entry.test, first: null, second: null };
    pair[entry.run_id === baseId ? 'first' : 'second'] = entry;
    pairs.set(entry.test, pair);
  }
  return [...pairs.values()];
}

function describeRun({ id, key, name, created_at }: RunRow, entries: readonly EntryRow[]): ComparedRun {
  const counts: Record<keyof typeof noResults, number> = { ...noResults };
  let seconds = 0;
  for (const entry of entries) {
    if (entry.run_id !== id) continue;
    counts[entry.result === 'broken' ? 'failed' : (entry.result as keyof typeof noResults)]++;
    seconds += entry.seconds ?? 0;
  }
  return { id, key, name, created_at, counts, seconds };
}

function compareTest({ first, second }: Pair, pastResults: readonly PastResult[], runId: number): ComparedTest {
  const shownEntry = (second ?? first) as EntryRow;
  const lastPassIndex = pastResults.findIndex(({ failed: hasFailed }) => !hasFailed);
  const streak = lastPassIndex < 0 ? pastResults : pastResults.slice(0, lastPassIndex);
  const isFailing = second !== null && failures.has(second.result);
  const [latestFailure, oldestFailure] = [streak[0], streak.at(-1)];
  const endIndex = streak.findIndex(
    ({ run_id, defect_id, is_defect_open }) => run_id !== runId && defect_id !== null && !is_defect_open,
  );
  const assignments = !isFailing ? [] : endIndex < 0 ? streak : streak.slice(0, endIndex);
  const withCause = assignments.find(({ cause }) => cause !== null);
  // A note is about the cause that it was written for, so an older one is not shown with a newer cause.
  const causeEnd = withCause ? assignments.indexOf(withCause) + 1 : assignments.length;
  const withNote = assignments.slice(0, causeEnd).find(({ cause_note: note }) => note !== null);
  const withDefect = assignments.find(({ defect_id }) => defect_id !== null);
  const carriedFrom = ({ run_id, run_key }: PastResult) => (run_id === runId ? null : run_key);
  return {
    key: shownEntry.test_key,
    name: shownEntry.name,
    test_case_id: shownEntry.test_case_id,
    automated_test_id: shownEntry.automated_test_id,
    configuration_id: shownEntry.configuration_id,
    configuration: shownEntry.configuration,
    first: first && resultOf(first),
    second: second && resultOf(second),
    change: changeOf(first, second),
    age:
      isFailing && latestFailure && oldestFailure
        ? {
            runs: streak.length,
            days: Math.max(0, Math.floor((Date.parse(latestFailure.at) - Date.parse(oldestFailure.at)) / day)),
            since: oldestFailure.run_key,
          }
        : null,
    cause: withCause?.cause ?? null,
    carried_from: withCause ? carriedFrom(withCause) : null,
    note: withNote?.cause_note ? { text: withNote.cause_note, carried_from: carriedFrom(withNote) } : null,
    defect: withDefect?.defect_id
      ? { id: withDefect.defect_id, name: withDefect.defect ?? '', carried_from: carriedFrom(withDefect) }
      : null,
  };
}

const resultOf = ({ id, result, seconds, run_at, person, comment }: EntryRow): ComparedResult => ({
  id,
  result,
  seconds,
  run_at,
  person,
  comment,
});

/** How much longer or shorter a test has to take to be named. */
const muchLonger = 1.5;
/** Differences of a few seconds say nothing. */
const leastSeconds = 10;

function changeOf(first: EntryRow | null, second: EntryRow | null): TestChange {
  if (!first || !second) return second ? 'added' : 'removed';
  const [hadFailed, hasFailed] = [failures.has(first.result), failures.has(second.result)];
  if (hasFailed) return hadFailed ? 'still_failing' : 'new_failure';
  if (hadFailed && second.result !== 'not_run') return 'fixed';
  if (first.result !== second.result) return 'other';
  const times = [first.seconds ?? 0, second.seconds ?? 0];
  const [shortest, longest] = [Math.min(...times), Math.max(...times)];
  return shortest > 0 && longest > shortest * muchLonger && longest - shortest >= leastSeconds ? 'duration' : 'same';
}
