import { sql } from 'kysely';
import type { ResourceRecord } from '../../engine/definitions/definition';
import { assertGranted } from '../../server/access/access-filter';
import type { RequestContext } from '../../server/access/request-context';
import type { Transaction } from '../../server/database/database';
import { Invalid } from '../../server/errors/errors';
import { insertRecord } from '../../server/records/write/create';
import { readAfterWrite } from '../../server/records/read/read';
import { translateDatabaseErrors } from '../../server/records/write/row-writes';
import { assertNotArchived, lockRow } from '../../server/records/write/stored-row';
import { storeTests } from './add-tests';
import { entries, runs } from './definitions';
import { oneRow } from '../../server/database/one-row';
import { firstOf } from '../../engine/values/lookups';
import { listedEntries } from '../run-overview/results';

/** A new run from tests of another one. */
export interface RunCopy {
  readonly name?: string;
  /** Only tests with these results. Default: all. */
  readonly results?: readonly string[];
}

const suffix = ' - Copy';
const maxNameLength = 200;

/**
 * `POST test-runs/{id}/copy`: a new, open run of the same project with test cases of this one as they are now, on the
 * same configurations and for the same people. A closed run can be copied too. Returns the new run. Throws Forbidden,
 * NotFound, and Invalid if no test is left.
 */
export async function copyRun(context: RequestContext, id: number, copy: RunCopy): Promise<ResourceRecord> {
  const definition = context.registry.getOrThrow(runs);
  assertGranted(context, definition, 'create');
  assertGranted(context, context.registry.getOrThrow(entries), 'create');
  const store = () =>
    context.program.database.transaction(async (trx) => {
      const row = await lockRow({ context, definition, trx }, id, 'refer');
      assertNotArchived(definition, row);
      const { rows: tests } = await sql<ResourceRecord>`
        select e.test_case_id, e.configuration_id, e.assigned_to from public.run_entries e
        where e.run_id = ${id} and e.test_case_id is not null
          and (${copy.results ?? null}::text[] is null or e.result = any(${copy.results ?? null}::text[]))
        order by e.position, e.id`.execute(trx);
      if (tests.length === 0) throw new Invalid({ results: await whyNothing(id, copy.results, trx) });
      const { name, project_id, milestone_id, description, site_id } = row.values;
      const copyName = copy.name ?? `${String(name).slice(0, maxNameLength - suffix.length)}${suffix}`;
      return storeRun(context, { name: copyName, project_id, milestone_id, description, site_id }, tests, trx);
    });
  return translateDatabaseErrors(context, definition, store);
}

/** Tests of runs that are run again. */
export interface Retest {
  readonly entries: readonly number[];
}

interface RetestedTest {
  readonly id: number;
  readonly run_id: number;
  readonly test_case_id: number | null;
  readonly configuration_id: number | null;
  readonly assigned_to: number | null;
}

/**
 * `POST test-runs/retest`: a new, open run with the test cases of tests as they are now, each once on a configuration, in the
 * order of the runs, the latest first, and for the same people. The tests are of one project; their runs can be closed. Returns the new run. Throws Forbidden, NotFound, and
 * Invalid if a test is not there for the caller, or has no test case.
 */
export async function retest(context: RequestContext, { entries: ids }: Retest): Promise<ResourceRecord> {
  const definition = context.registry.getOrThrow(runs);
  assertGranted(context, definition, 'create');
  assertGranted(context, context.registry.getOrThrow(entries), 'create');
  const store = () =>
    context.program.database.transaction(async (trx) => {
      const { rows } = await sql<RetestedTest>`
        select e.id, e.run_id, e.test_case_id, e.configuration_id, e.assigned_to from public.run_entries e
        where e.id = any(${ids}::bigint[]) and ${listedEntries(context, 'e')}
        order by e.run_id desc, e.position, e.id`.execute(trx);
      const wantedCount = new Set(ids).size;
      const testCases = rows.filter(({ test_case_id }) => test_case_id !== null);
      if (testCases.length < wantedCount) throw new Invalid({ entries: whyFewer(wantedCount, testCases.length) });
      const runIds = [...new Set(rows.map(({ run_id }) => run_id))];
      const runRows = [];
      for (const id of runIds) runRows.push((await lockRow({ context, definition, trx }, id, 'refer')).values);
      const { project_id, milestone_id, site_id } = firstOf(runRows);
      if (runRows.some((run) => run.project_id !== project_id))
        throw new Invalid({ entries: 'These tests are of several projects. Choose those of one project.' });
      const name = `Retest of ${runRows.map((run) => run.key ?? run.name).join(', ')}`;
      const values = { name: name.slice(0, maxNameLength), project_id, milestone_id, site_id };
      return storeRun(context, values, onceEach(testCases), trx);
    });
  return translateDatabaseErrors(context, definition, store);
}

/** Why fewer tests can be run again than are wanted, in words. */
function whyFewer(wantedCount: number, count: number): string {
  if (count === 0) return 'None of these tests has a test case that you can see, so there is nothing to run.';
  const fewer = wantedCount - count === 1 ? 'One' : String(wantedCount - count);
  return `${fewer} of these ${wantedCount} tests ${wantedCount - count === 1 ? 'has' : 'have'} no test case that you can see. Choose the others.`;
}

/** Each test case once on a configuration, from the latest run, in the order of the tests. */
function onceEach(tests: readonly RetestedTest[]): ResourceRecord[] {
  const testsByCase = new Map<string, ResourceRecord>();
  for (const { test_case_id, configuration_id, assigned_to } of tests) {
    const key = `${test_case_id} ${configuration_id}`;
    if (!testsByCase.has(key)) testsByCase.set(key, { test_case_id, configuration_id, assigned_to });
  }
  return [...testsByCase.values()];
}

/** Stores a run with tests in their order, and returns it. */
async function storeRun(
  context: RequestContext,
  values: ResourceRecord,
  tests: readonly ResourceRecord[],
  trx: Transaction,
): Promise<ResourceRecord> {
  const definition = context.registry.getOrThrow(runs);
  const id = await insertRecord({ context, definition, trx }, { values, errors: {}, kept: [] });
  const { site_id } = values;
  await storeTests(
    context,
    tests.map((test, index) => ({ ...test, run_id: id, site_id, position: index + 1 })),
    trx,
  );
  return readAfterWrite({ context, definition }, id, trx);
}

/** Why a run has no test case to copy, in words. */
async function whyNothing(id: number, results: readonly string[] | undefined, trx: Transaction): Promise<string> {
  const {
    test_cases: cases,
    automated,
    others: otherCount,
  } = oneRow(
    await sql<{ test_cases: number; automated: number; others: number }>`
    select count(e.test_case_id)::integer as test_cases, count(e.automated_test_id)::integer as automated,
      count(*) filter (where e.test_case_id is null and e.automated_test_id is null
        and (${results ?? null}::text[] is null or e.result = any(${results ?? null}::text[])))::integer as others
    from public.run_entries e where e.run_id = ${id}`.execute(trx),
  );
  if (otherCount > 0)
    return 'The test cases of these tests were deleted since, so there is nothing to copy. Restore them, or start a new run.';
  if (cases > 0) return 'No test case of this run has one of these results, so there is nothing to copy.';
  return automated > 0
    ? 'This run has automated tests only: a build runs them again. Test cases can be copied.'
    : 'This run has no tests, so there is nothing to copy.';
}
