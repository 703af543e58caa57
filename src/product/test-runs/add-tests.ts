import { sql } from 'kysely';
import type { ResourceRecord } from '../../engine/definitions/definition';
import type { Predicate } from '../../engine/conditions/grammar';
import { accessFilter, allOf } from '../../server/access/access-filter';
import type { RequestContext } from '../../server/access/request-context';
import type { Transaction } from '../../server/database/database';
import { Invalid } from '../../server/errors/errors';
import { BatchState, createMany } from '../../server/records/create-many';
import { listFilter } from '../../server/records/list';
import { parseListQuery, type Query } from '../../server/records/query/list-query';
import { translateDatabaseErrors } from '../../server/records/row-writes';
import { predicateToSql } from '../../server/sql/predicate-to-sql';
import { entries, runs, testCases } from './definitions';
import { fixedInput } from './fixed-input';
import { pairwise, type Configuration } from './pairwise';
import { pinCases, type PinnedCase } from './pinned-case';
import { holdOpenRun, type HeldRun } from './run-access';

/** Which test cases come into a run, and on what they are run. */
export interface TestSelection {
  /** These test cases, or `all` of the project. */
  readonly test_cases?: readonly number[] | 'all';
  /** Those that a list of test cases with this query has. */
  readonly filter?: Query;
  /** On each of these; none: once, without a configuration. */
  readonly configurations?: readonly number[];
  /** `pairwise`: each pair of browser, system and device once, instead of every configuration. */
  readonly combine?: 'all' | 'pairwise';
  readonly assigned_to?: number | null;
}

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
  const added = await translateDatabaseErrors(context, context.registry.getOrThrow(entries), () =>
    context.program.database.transaction(async (trx) => {
      const run = await holdOpenRun(context, id, 'create', trx);
      await lockTestsOf(id, trx);
      return addTests(context, run, selection, trx);
    }),
  );
  return { added };
}

/**
 * Adds test cases to a run, each as it is now and once for each configuration; those that are there already stay as they
 * are. Returns how many tests were added. Throws Invalid.
 */
async function addTests(
  context: RequestContext,
  run: HeldRun,
  selection: TestSelection,
  trx: Transaction,
): Promise<number> {
  const cases = await findCases(context, run, selection, trx);
  const configurations = await findConfigurations(context, selection, trx);
  const present = await presentTests(run.id, trx);
  const wanted = cases.flatMap((id) =>
    configurations.flatMap((configuration) =>
      present.keys.has(testKey(id, configuration)) ? [] : [{ test_case_id: id, configuration_id: configuration }],
    ),
  );
  if (present.count + wanted.length > maxTests) {
    const most = maxTests.toLocaleString('en');
    throw new Invalid({
      test_cases: `A run has at most ${most} tests; this one would have ${(present.count + wanted.length).toLocaleString('en')}. Choose fewer test cases or configurations.`,
    });
  }
  const values = { run_id: run.id, site_id: run.values.site_id, assigned_to: selection.assigned_to ?? null };
  await storeTests(
    context,
    wanted.map((one, index) => ({ ...values, ...one, position: present.last + index + 1 })),
    trx,
  );
  return wanted.length;
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
    const pinned = new Map<number, PinnedCase>();
    for (const one of await pinCases(context.registry, ids, trx)) pinned.set(one.id, one);
    const inputs = batch.map((values) => {
      const { name, content } = pinned.get(values.test_case_id as number)!;
      return fixedInput({ ...values, name, pinned: content, pinned_at: context.now });
    });
    for (const outcome of await createMany(context, definition, inputs, state, trx)) {
      if ('errors' in outcome) throw outcome.refusal ?? new Invalid(outcome.errors);
    }
  }
}

/** The ids of the selected test cases in their order. Throws Invalid if one is not there for the caller. */
async function findCases(
  context: RequestContext,
  { project_id }: HeldRun,
  { test_cases: chosen = [], filter }: TestSelection,
  trx: Transaction,
): Promise<number[]> {
  const definition = context.registry.getOrThrow(testCases);
  const find = async (where: Predicate) => {
    const found = predicateToSql(where, definition, 't', context.registry, context.evaluationContext);
    const { rows } = await sql<{ id: number }>`select t.id from ${sql.id('public', definition.table)} t
      where t.project_id = ${project_id} and ${found} order by t.id limit ${maxTests + 1}`.execute(trx);
    return rows.map(({ id }) => id);
  };
  const visible = accessFilter(context, definition, 'list');
  if (chosen === 'all') return find(visible);
  if (filter !== undefined) {
    const query = parseListQuery(context, definition, filter);
    if (query.search !== undefined) throw new Invalid({ filter: 'Filters of a run cannot search. Leave q out.' });
    return find(listFilter(context, definition, query));
  }
  const ids = [...new Set(chosen)];
  if (ids.length === 0) return [];
  const known = new Set(await find(allOf([visible, { kind: 'compare', left: 'id', operator: '$in', right: ids }])));
  const missing = ids.find((id) => !known.has(id));
  if (missing !== undefined) {
    throw new Invalid({ test_cases: `The test case ${missing} is not in the project of this run.` });
  }
  return ids;
}

/** The ids of the configurations to run on; null stands for none. Throws Invalid if one is not there for the caller. */
async function findConfigurations(
  context: RequestContext,
  { configurations = [], combine }: TestSelection,
  trx: Transaction,
): Promise<(number | null)[]> {
  if (configurations.length === 0) return [null];
  const definition = context.registry.getOrThrow('configurations');
  const ids = [...new Set(configurations)];
  const where = predicateToSql(
    accessFilter(context, definition, 'list'),
    definition,
    't',
    context.registry,
    context.evaluationContext,
  );
  const { rows } = await sql<Configuration>`select t.id, t.browser, t.system, t.device
    from ${sql.id('public', definition.table)} t where t.id = any(${ids}::integer[]) and ${where}`.execute(trx);
  const missing = ids.find((id) => !rows.some((row) => row.id === id));
  if (missing !== undefined) throw new Invalid({ configurations: `There is no configuration ${missing}.` });
  const chosen = ids.map((id) => rows.find((row) => row.id === id)!);
  return (combine === 'pairwise' ? pairwise(chosen) : chosen).map(({ id }) => id);
}

interface PresentTests {
  readonly keys: ReadonlySet<string>;
  readonly count: number;
  /** The position of the last one; 0 if there is none. */
  readonly last: number;
}

async function presentTests(run: number, trx: Transaction): Promise<PresentTests> {
  const { rows } = await sql<{ test_case_id: number | null; configuration_id: number | null; position: number }>`
    select e.test_case_id, e.configuration_id, e.position from public.run_entries e where e.run_id = ${run}`.execute(
    trx,
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
  await sql`select pg_advisory_xact_lock(hashtext(${runs}), ${run}::integer)`.execute(trx);
}
