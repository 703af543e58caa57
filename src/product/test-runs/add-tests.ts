import { sql } from 'kysely';
import type { ResourceRecord } from '../../engine/definitions/definition';
import type { Predicate } from '../../engine/conditions/grammar';
import { accessFilter, allOf, assertGranted } from '../../server/access/access-filter';
import type { RequestContext } from '../../server/access/request-context';
import type { Queries, Transaction } from '../../server/database/database';
import { Invalid } from '../../server/errors/errors';
import { insertRecord, createMany } from '../../server/records/write/create';
import { BatchState } from '../../server/records/write/record-write';
import { listFilter } from '../../server/records/read/list';
import { readAfterWrite, readRecord } from '../../server/records/read/read';
import { parseListQuery } from '../../server/records/read/query/list-query';
import { translateDatabaseErrors } from '../../server/records/write/row-writes';
import { predicateToSql } from '../../server/sql/predicate-to-sql';
import { entries, runs, testCases } from './definitions';
import { fixedInput } from './fixed-input';
import { keepFilter, keptSelections } from './kept-filters';
import { pairwise, type Configuration } from './pairwise';
import { assignTests, type Assignment } from './assign-tests';
import { pinCases, type PinnedCase } from './pinned-case';
import { holdOpenRun, type HeldRun } from './run-access';
import type { TestSelection } from './test-selection';
import { getOrThrow } from '../../engine/values/lookups';

/** The most tests of one run. */
export const maxTests = 20_000;
/** How many are stored together. */
const batchSize = 500;

/** `POST test-runs/{id}/tests`. Throws Forbidden, NotFound, Conflict if the run is closed, and Invalid. */
export async function addTestsToRun(
  context: RequestContext,
  id: number,
  selection: TestSelection,
): Promise<{ added: number }> {
  return addToOpenRun(context, id, async (run, trx) => {
    const addedCount = await addTests(context, run, [selection], trx);
    await keepFilter(context, run, selection, trx);
    return addedCount;
  });
}

/** A run that begins with tests. */
export interface NewRun extends TestSelection {
  readonly project_id: number;
  readonly name: string;
  readonly milestone_id?: number | null;
  readonly due_on?: string | null;
  readonly description?: string | null;
  readonly state?: 'planned' | 'open';
  /** Who runs its tests in turn. */
  readonly assign?: Omit<Assignment, 'entries'>;
}

/**
 * `POST test-runs/start`: a new run with its tests, in one transaction. Returns the run. Throws Forbidden, and Invalid
 * if a value or a test case is refused, or no test case is left.
 */
export async function startRun(context: RequestContext, newRun: NewRun) {
  const { project_id, name, milestone_id, due_on, description, state, assign, ...selection } = newRun;
  const definition = context.registry.getOrThrow(runs);
  assertGranted(context, definition, 'create');
  assertGranted(context, context.registry.getOrThrow(entries), 'create');
  const optionalValues = Object.entries({ milestone_id, due_on, description, state });
  const values = {
    project_id,
    name,
    ...Object.fromEntries(optionalValues.filter(([, value]) => value !== undefined)),
  };
  const store = () =>
    context.program.database.transaction(async (trx) => {
      const id = await insertRecord({ context, definition, trx }, { values, errors: {}, kept: [] });
      const run = await holdOpenRun(context, id, 'create', trx);
      const addedCount = await addTests(context, run, [selection], trx);
      if (addedCount === 0) throw new Invalid({ test_cases: 'No test case is chosen. Choose at least one.' });
      await keepFilter(context, run, selection, trx);
      if (assign) await assignTests(context, run, assign, trx);
      return readAfterWrite({ context, definition }, id, trx);
    });
  return translateDatabaseErrors(context, definition, store);
}

/**
 * `POST test-runs/{id}/matching`: adds the test cases that the kept filters of the run match now; none is removed. Throws
 * Forbidden, NotFound, Conflict if the run is closed, and Invalid.
 */
export async function addMatchingTests(context: RequestContext, id: number): Promise<{ added: number }> {
  return addToOpenRun(context, id, async (run, trx) => addTests(context, run, await keptSelections(id, trx), trx));
}

/** `GET test-runs/{id}/matching`: how many tests that would add, by how many kept filters. Throws Forbidden and NotFound. */
export async function countMatchingTests(
  context: RequestContext,
  id: number,
): Promise<{ filters: number; tests: number }> {
  const { registry, program } = context;
  const queries = program.database.kysely;
  const { project_id } = await readRecord(
    { context, definition: registry.getOrThrow(runs) },
    id,
    new Set(['project_id']),
  );
  const selections = await keptSelections(id, queries);
  if (selections.length === 0) return { filters: 0, tests: 0 };
  const presentRows = await presentTests(id, queries);
  const wantedTests = await findWanted(
    context,
    { project_id: project_id as number },
    selections,
    presentRows.keys,
    queries,
  );
  return { filters: selections.length, tests: wantedTests.length };
}

async function addToOpenRun(
  context: RequestContext,
  id: number,
  add: (run: HeldRun, trx: Transaction) => Promise<number>,
): Promise<{ added: number }> {
  const addedCount = await translateDatabaseErrors(context, context.registry.getOrThrow(entries), () =>
    context.program.database.transaction(async (trx) => {
      const run = await holdOpenRun(context, id, 'create', trx);
      await lockTestsOf(id, trx);
      return add(run, trx);
    }),
  );
  return { added: addedCount };
}

/**
 * Adds test cases to a run, each as it is now and once for each configuration; those that are there already stay as they
 * are. Returns how many tests were added. Throws Invalid.
 */
async function addTests(
  context: RequestContext,
  run: HeldRun,
  selections: readonly TestSelection[],
  trx: Transaction,
): Promise<number> {
  const presentRows = await presentTests(run.id, trx);
  const wantedTests = await findWanted(context, run, selections, presentRows.keys, trx);
  if (presentRows.count + wantedTests.length > maxTests) {
    const maximum = maxTests.toLocaleString('en');
    throw new Invalid({
      test_cases: `A run has at most ${maximum} tests; this one would have ${(presentRows.count + wantedTests.length).toLocaleString('en')}. Choose fewer test cases or configurations.`,
    });
  }
  const values = { run_id: run.id, site_id: run.values.site_id };
  await storeTests(
    context,
    wantedTests.map((wantedTest, index) => ({ ...values, ...wantedTest, position: presentRows.last + index + 1 })),
    trx,
  );
  return wantedTests.length;
}

/** A test that a run does not have yet. */
interface WantedTest {
  readonly test_case_id: number;
  readonly configuration_id: number | null;
  readonly assigned_to: number | null;
}

/** The selected tests that are not among the present ones, each once. Throws Invalid. */
async function findWanted(
  context: RequestContext,
  run: Pick<HeldRun, 'project_id'>,
  selections: readonly TestSelection[],
  presentKeys: ReadonlySet<string>,
  queries: Queries,
): Promise<WantedTest[]> {
  const knownKeys = new Set(presentKeys);
  const wantedTests: WantedTest[] = [];
  for (const selection of selections) {
    const cases = await findCases(context, run, selection, queries);
    const configurations = await findConfigurations(context, selection, queries);
    for (const test_case_id of cases) {
      for (const configuration_id of configurations) {
        const key = testKey(test_case_id, configuration_id);
        if (knownKeys.has(key)) continue;
        knownKeys.add(key);
        wantedTests.push({ test_case_id, configuration_id, assigned_to: selection.assigned_to ?? null });
      }
    }
  }
  return wantedTests;
}

/** Stores new tests of runs with the test cases as they are now. Throws Invalid if one is refused. */
export async function storeTests(
  context: RequestContext,
  tests: readonly ResourceRecord[],
  trx: Transaction,
): Promise<void> {
  const definition = context.registry.getOrThrow(entries);
  const state = new BatchState();
  for (let start = 0; start < tests.length; start += batchSize) {
    const batch = tests.slice(start, start + batchSize);
    const ids = [...new Set(batch.map(({ test_case_id: id }) => id as number))];
    const pinnedById = new Map<number, PinnedCase>();
    for (const pinnedCase of await pinCases(context.registry, ids, trx)) pinnedById.set(pinnedCase.id, pinnedCase);
    const inputs = batch.map((values) => {
      const { name, content } = getOrThrow(pinnedById, values.test_case_id as number);
      return fixedInput({ ...values, name, pinned: content, pinned_at: context.now });
    });
    for (const outcome of await createMany({ context, definition, trx }, inputs, state)) {
      if ('errors' in outcome) throw outcome.refusal ?? new Invalid(outcome.errors);
    }
  }
}

/** The ids of the selected test cases in their order. Throws Invalid if one is not there for the caller. */
async function findCases(
  context: RequestContext,
  { project_id }: Pick<HeldRun, 'project_id'>,
  { test_cases: chosenCases = [], filter }: TestSelection,
  queries: Queries,
): Promise<number[]> {
  const definition = context.registry.getOrThrow(testCases);
  const find = async (condition: Predicate) => {
    const conditionSql = predicateToSql(condition, definition, 't', context.registry, context.evaluationContext);
    const { rows } = await sql<{ id: number }>`select t.id from ${sql.id('public', definition.table)} t
      where t.project_id = ${project_id} and ${conditionSql} order by t.id limit ${maxTests + 1}`.execute(queries);
    return rows.map(({ id }) => id);
  };
  const visible = accessFilter(context, definition, 'list');
  if (chosenCases === 'all') return find(visible);
  if (filter !== undefined) {
    const query = parseListQuery(context, definition, filter);
    if (query.search !== undefined) throw new Invalid({ filter: 'Filters of a run cannot search. Leave q out.' });
    return find(listFilter(context, definition, query));
  }
  const ids = [...new Set(chosenCases)];
  if (ids.length === 0) return [];
  const visibleIds = new Set(
    await find(allOf([visible, { kind: 'compare', left: 'id', operator: '$in', right: ids }])),
  );
  const missingId = ids.find((id) => !visibleIds.has(id));
  if (missingId !== undefined) {
    throw new Invalid({ test_cases: `The test case ${missingId} is not in the project of this run.` });
  }
  return ids;
}

/** The ids of the configurations to run on; null stands for none. Throws Invalid if one is not there for the caller. */
async function findConfigurations(
  context: RequestContext,
  { configurations = [], combine }: TestSelection,
  queries: Queries,
): Promise<(number | null)[]> {
  if (configurations.length === 0) return [null];
  const definition = context.registry.getOrThrow('configurations');
  const ids = [...new Set(configurations)];
  const condition = predicateToSql(
    accessFilter(context, definition, 'list'),
    definition,
    't',
    context.registry,
    context.evaluationContext,
  );
  const { rows } = await sql<Configuration>`select t.id, t.browser, t.system, t.device
    from ${sql.id('public', definition.table)} t where t.id = any(${ids}::bigint[]) and ${condition}`.execute(queries);
  const chosenConfigurations = ids.map((id) => {
    const configuration = rows.find((row) => row.id === id);
    if (!configuration) throw new Invalid({ configurations: `There is no configuration ${id}.` });
    return configuration;
  });
  return (combine === 'pairwise' ? pairwise(chosenConfigurations) : chosenConfigurations).map(({ id }) => id);
}

interface PresentTests {
  readonly keys: ReadonlySet<string>;
  readonly count: number;
  /** The position of the last one; 0 if there is none. */
  readonly last: number;
}

async function presentTests(run: number, queries: Queries): Promise<PresentTests> {
  const { rows } = await sql<{ test_case_id: number | null; configuration_id: number | null; position: number }>`
    select e.test_case_id, e.configuration_id, e.position from public.run_entries e where e.run_id = ${run}`.execute(
    queries,
  );
  return {
    keys: new Set(
      rows.flatMap((row) => (row.test_case_id === null ? [] : [testKey(row.test_case_id, row.configuration_id)])),
    ),
    count: rows.length,
    last: rows.reduce((last, { position }) => Math.max(last, position ?? 0), 0),
  };
}

const testKey = (testCase: number, configuration: number | null) => `${testCase} ${configuration ?? ''}`;

/** Locks a run against others who add tests to it, so that none is added twice. */
async function lockTestsOf(run: number, trx: Transaction): Promise<void> {
  await sql`select pg_advisory_xact_lock(hashtextextended(${`${runs} ${run}`}, 0))`.execute(trx);
}
