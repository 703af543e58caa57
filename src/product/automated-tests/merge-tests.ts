import { sql } from 'kysely';
import type { ResourceRecord } from '../../engine/definitions/definition';
import { assertGranted } from '../../server/access/access-filter';
import type { RequestContext } from '../../server/access/request-context';
import type { Transaction } from '../../server/database/database';
import { Conflict, NotFound } from '../../server/errors/errors';
import { deleteMany } from '../../server/records/write/delete';
import { addHistoryEntry, publishRecordChange, translateDatabaseErrors } from '../../server/records/write/row-writes';
import { assertNotArchived, lockRow, lockRows, readRowUnlocked } from '../../server/records/write/stored-row';
import { storeChanges } from '../../server/records/write/update';
import { entries } from '../test-runs/definitions';
import { fixedInput } from '../test-runs/fixed-input';
import { proposals, tests } from './definitions';
import { firstOf } from '../../engine/values/lookups';
import { historyOfChanges } from '../../server/records/history/changes-sql';

/** Days within which a decision can be undone. */
const undoDays = 30;

/** The decision about a proposal. */
export interface Decision {
  readonly id: number;
  readonly state: 'open' | 'merged' | 'kept_apart';
  /** The test that has the results now. */
  readonly earlier_id: number;
  /** The other one; null while it is merged. */
  readonly test_id: number | null;
  /** Results that went from one test to the other. */
  readonly moved: number;
  /** Results that the earlier test has now. */
  readonly results: number;
}

interface Alias {
  readonly id?: number;
  readonly name: string | null;
  readonly identity: string;
}

/** The data for undoing a merge: the removed test as its row, and the rows that were changed for it. */
interface BeforeMerge {
  readonly test: ResourceRecord;
  readonly aliases: readonly ResourceRecord[];
  readonly entries: readonly number[];
  /** Values of the earlier test before the merge and after it. */
  readonly before: ResourceRecord;
  readonly after: ResourceRecord;
  /** Other proposals that named the removed test. */
  readonly proposals: { readonly earlier: readonly number[]; readonly test: readonly number[] };
}

/**
 * `POST match-proposals/{id}/merge`: two tests are one. The earlier one keeps its record, takes the name and the results of
 * the new one, and is found under both names from then on; the new one is removed. Throws Forbidden, NotFound, or Conflict
 * if it was decided already, if one run has both tests, or if one of them is gone.
 */
export function mergeTests(context: RequestContext, id: number): Promise<Decision> {
  return decide(context, id, 'delete', async ({ proposal, earlier: earlierTest, test }, trx) => {
    assertState(proposal, 'open');
    if (!earlierTest || !test) throw new Conflict('One of both tests is no longer there.');
    await assertNeverTogether(earlierTest.id as number, test.id as number, trx);
    const keptId = earlierTest.id as number;
    const removedTest = await snapshot(test.id as number, trx);
    const movedEntries = await moveEntries(context, test, keptId, trx);
    const otherProposalIds = await otherProposals(id, test.id as number, keptId, trx);
    const mergedRow = mergedValues(earlierTest, test);
    const previousValues = Object.fromEntries(Object.keys(mergedRow).map((name) => [name, earlierTest[name] ?? null]));
    const { aliases: _all, ...scalarValues } = mergedRow;
    const before_merge: BeforeMerge = {
      ...removedTest,
      entries: movedEntries,
      before: previousValues,
      after: scalarValues,
      proposals: otherProposalIds,
    };
    await storeDecision(context, id, { state: 'merged', test_id: null, before_merge }, trx);
    await pointProposals(otherProposalIds, keptId, trx);
    const definition = context.registry.getOrThrow(tests);
    const [outcome] = await deleteMany({ context, definition, trx }, [test.id as number]);
    if (outcome && 'errors' in outcome) throw outcome.refusal ?? new Conflict('The new test cannot be removed.');
    await storeChanges({ context, definition, trx }, keptId, fixedInput(mergedRow));
    return { state: 'merged', test_id: null, moved: movedEntries.length };
  });
}

/**
 * `POST match-proposals/{id}/keep-apart`: the tests are two, and are not proposed again. Throws Forbidden, NotFound, or
 * Conflict if it was decided already.
 */
export function keepTestsApart(context: RequestContext, id: number): Promise<Decision> {
  return decide(context, id, 'edit', async ({ proposal }, trx) => {
    assertState(proposal, 'open');
    await storeDecision(context, id, { state: 'kept_apart' }, trx);
    return { state: 'kept_apart', test_id: proposal.test_id as number, moved: 0 };
  });
}

/**
 * `POST match-proposals/{id}/undo`: the proposal is open again. After a merge the removed test is there again with its
 * results, and with those that came under its name since. Throws Forbidden, NotFound, or Conflict if nothing was decided,
 * if it was too long ago, or if a later merge of the same test stands on it.
 */
export function undoDecision(context: RequestContext, id: number): Promise<Decision> {
  return decide(context, id, 'delete', async ({ proposal, earlier: earlierTest }, trx) => {
    assertState(proposal, 'merged', 'kept_apart');
    const oldest = Date.parse(context.now) - undoDays * 24 * 60 * 60 * 1000;
    if (Date.parse(proposal.decided_at as string) < oldest)
      throw new Conflict(`This was decided more than ${undoDays} days ago and cannot be undone.`);
    const open = { state: 'open', decided_by: null, decided_at: null, before_merge: null };
    const definition = context.registry.getOrThrow(proposals);
    if (proposal.state === 'kept_apart') {
      await storeChanges({ context, definition, trx }, id, fixedInput(open));
      return { state: 'open', test_id: proposal.test_id as number, moved: 0 };
    }
    if (!earlierTest) throw new NotFound();
    const savedState = proposal.before_merge as BeforeMerge;
    await assertLatestMerge(proposal, earlierTest, savedState, trx);
    const test = savedState.test.id as number;
    await storeChanges(
      { context, definition: context.registry.getOrThrow(tests), trx },
      earlierTest.id as number,
      separated(earlierTest, savedState),
    );
    await restoreTest(context, savedState, trx);
    const returnedEntries = await returnEntries(context, proposal, earlierTest.id as number, savedState, trx);
    for (const testId of [earlierTest.id as number, test]) await refreshLastResult(testId, trx);
    await pointProposals(savedState.proposals, test, trx);
    await storeChanges({ context, definition, trx }, id, fixedInput({ ...open, test_id: test }));
    return { state: 'open', test_id: test, moved: returnedEntries };
  });
}

interface Subjects {
  readonly proposal: ResourceRecord;
  readonly earlier: ResourceRecord | undefined;
  readonly test: ResourceRecord | undefined;
}

/**
 * Runs a decision in one transaction, with the tests and then the proposal locked: an upload that has results for one of
 * the tests locks in the same order, so each waits for the other.
 */
async function decide(
  context: RequestContext,
  id: number,
  change: 'edit' | 'delete',
  run: (subjects: Subjects, trx: Transaction) => Promise<Pick<Decision, 'state' | 'test_id' | 'moved'>>,
): Promise<Decision> {
  const { registry, program } = context;
  const [definition, testsDefinition] = [registry.getOrThrow(proposals), registry.getOrThrow(tests)];
  assertGranted(context, definition, 'edit');
  for (const action of ['edit', change] as const) assertGranted(context, testsDefinition, action);
  return translateDatabaseErrors(context, definition, () =>
    program.database.transaction(async (trx) => {
      const { values: proposalValues } = await readRowUnlocked(context, definition, id);
      const ids = [proposalValues.earlier_id, proposalValues.test_id].filter((id) => typeof id === 'number');
      const lockedRows = await lockRows({ context, definition: testsDefinition, trx }, ids, change);
      for (const row of lockedRows.values()) {
        row.matchingRules();
        assertNotArchived(testsDefinition, row);
      }
      const row = await lockRow({ context, definition, trx }, id);
      row.matchingRules();
      assertNotArchived(definition, row);
      const proposal = row.values;
      if (proposal.earlier_id !== proposalValues.earlier_id || proposal.test_id !== proposalValues.test_id)
        throw decidedMeanwhile();
      const recordOf = (testId: unknown) => lockedRows.get(testId as number)?.values;
      const outcome = await run(
        { proposal, earlier: recordOf(proposal.earlier_id), test: recordOf(proposal.test_id) },
        trx,
      );
      const earlier_id = proposal.earlier_id as number;
      const { rows } = await sql<{ count: number }>`select count(*)::integer as count from public.run_entries e
        where e.automated_test_id = ${earlier_id}`.execute(trx);
      return { id, earlier_id, results: rows[0]!.count, ...outcome };
    }),
  );
}

const decidedMeanwhile = () => new Conflict('Somebody else has decided this in the meantime. Reload the proposals.');

function assertState({ state }: ResourceRecord, ...allowedStates: string[]): void {
  if (allowedStates.includes(state as string)) return;
  if (state === 'open') throw new Conflict('Nothing was decided here, so there is nothing to undo.');
  if (state === 'withdrawn') throw new Conflict('Both tests were in one run since, so they are two.');
  throw new Conflict(
    `These tests are ${state === 'merged' ? 'merged' : 'kept apart'} already. Undo that first to decide otherwise.`,
  );
}

/** Throws Conflict if one run has both tests on the same configuration: then they are two. */
async function assertNeverTogether(earlierTest: number, test: number, trx: Transaction): Promise<void> {
  const { rows } = await sql<{ key: string }>`select r.key from public.run_entries a
    join public.run_entries b on b.run_id = a.run_id and b.automated_test_id = ${test}
      and b.configuration_id is not distinct from a.configuration_id
    join public.test_runs r on r.id = a.run_id
    where a.automated_test_id = ${earlierTest} order by r.id desc limit 1`.execute(trx);
  if (rows[0])
    throw new Conflict(`The run ${rows[0].key} has results of both tests, so they are two. Keep them apart.`);
}

async function snapshot(id: number, trx: Transaction): Promise<Pick<BeforeMerge, 'test' | 'aliases'>> {
  const { rows } = await sql<{ test: ResourceRecord; aliases: ResourceRecord[] }>`select to_jsonb(a) as test,
      coalesce((select jsonb_agg(to_jsonb(x) order by x.id) from public.automated_tests__aliases x where x.parent_id = a.id and x.site_id = a.site_id), '[]') as aliases
    from public.automated_tests a where a.id = ${id}`.execute(trx);
  return rows[0]!;
}

/** The earlier test with what the new one has: its place in the code, and what the earlier one lacks. */
function mergedValues(earlierTest: ResourceRecord, test: ResourceRecord): ResourceRecord {
  const isNewer = String(test.last_run_at ?? '') > String(earlierTest.last_run_at ?? '');
  const inheritedFields = ['test_case_id', 'owner_id', 'quarantined_until', 'quarantine_reason'];
  // A reason belongs to its quarantine.
  const inheritedNow = earlierTest.quarantined_until === null ? inheritedFields : inheritedFields.slice(0, 2);
  return {
    name: test.name,
    file: test.file,
    suite: test.suite,
    parameters: test.parameters,
    identity: test.identity,
    ...Object.fromEntries(inheritedNow.map((name) => [name, earlierTest[name] ?? test[name] ?? null])),
    ...(isNewer && { last_result: test.last_result, last_run_at: test.last_run_at }),
    aliases: [
      ...aliasesOf(earlierTest),
      { name: earlierTest.name, identity: earlierTest.identity },
      ...aliasesOf(test).map(({ name, identity }) => ({ name, identity })),
    ],
  };
}

const aliasesOf = ({ aliases }: ResourceRecord): readonly Alias[] => (aliases as Alias[] | null) ?? [];

/** The earlier test as it was, but for what people changed since. */
function separated(
  earlierTest: ResourceRecord,
  { before: previousValues, after: mergedRow, test, aliases }: BeforeMerge,
) {
  const isUnchanged = (name: string) =>
    JSON.stringify(earlierTest[name] ?? null) === JSON.stringify(mergedRow[name] ?? null);
  const restoredNames = Object.keys(mergedRow).filter((name) => !name.startsWith('last_') && isUnchanged(name));
  const otherIdentities = new Set([previousValues.identity, test.identity, ...aliases.map(({ identity }) => identity)]);
  return fixedInput({
    ...Object.fromEntries(restoredNames.map((name) => [name, previousValues[name] ?? null])),
    identity: previousValues.identity,
    aliases: aliasesOf(earlierTest).filter(({ identity }) => !otherIdentities.has(identity)),
  });
}

/** Throws Conflict if the test was merged with another one since. */
async function assertLatestMerge(
  proposal: ResourceRecord,
  earlierTest: ResourceRecord,
  { test }: BeforeMerge,
  trx: Transaction,
): Promise<void> {
  const { rows } = await sql`select from public.match_proposals p where p.earlier_id = ${earlierTest.id}
    and p.state = 'merged' and p.id <> ${proposal.id} and p.decided_at > ${proposal.decided_at}::timestamptz limit 1`.execute(
    trx,
  );
  if (rows.length > 0 || earlierTest.identity !== test.identity)
    throw new Conflict('This test was merged with another one since. Undo that first.');
}

/** Moves the results of a test to another one; returns the ids of the entries. */
async function moveEntries(
  context: RequestContext,
  test: ResourceRecord,
  targetTest: number,
  trx: Transaction,
): Promise<number[]> {
  const { rows } = await sql<{ id: number }>`update public.run_entries e set automated_test_id = ${targetTest}
    where e.automated_test_id = ${test.id} returning e.id`.execute(trx);
  return recordMoves(
    context,
    rows.map(({ id }) => id),
    test.id as number,
    targetTest,
    trx,
  );
}

/** Gives the restored test its results: those it had, and those that came under its name since. */
async function returnEntries(
  context: RequestContext,
  { decided_at }: ResourceRecord,
  sourceTest: number,
  { test, entries: entryIds, before: previousValues }: BeforeMerge,
  trx: Transaction,
): Promise<number> {
  const { rows } = await sql<{ id: number }>`update public.run_entries e set automated_test_id = ${test.id}
    where e.automated_test_id = ${sourceTest} and (e.id = any(${entryIds}::bigint[])
      or e.created_at > ${decided_at}::timestamptz and (e.name is distinct from ${previousValues.name} or ${previousValues.name === test.name}))
    returning e.id`.execute(trx);
  const ids = rows.map(({ id }) => id);
  return (await recordMoves(context, ids, sourceTest, test.id as number, trx)).length;
}

/** Writes the history of entries whose test changed, and announces it; returns their ids in order. */
async function recordMoves(
  context: RequestContext,
  ids: readonly number[],
  sourceTest: number,
  targetTest: number,
  trx: Transaction,
): Promise<number[]> {
  const { actor, now, registry } = context;
  const { rows } = await sql<{
    site_id: number;
  }>`select a.site_id from public.automated_tests a where a.id = ${targetTest}`.execute(trx);
  const { site_id: site } = firstOf(rows);
  const values = (id: number) => JSON.stringify({ automated_test_id: id });
  const changes = sql`select ${site}::bigint, ${entries}::text, x.id, 'updated', ${values(sourceTest)}::jsonb, ${values(targetTest)}::jsonb,
    ${actor.id}::bigint, ${now}::timestamptz, null::integer from unnest(${ids}::bigint[]) x (id)`;
  await sql`with ${historyOfChanges(changes)} select`.execute(trx);
  // One event tells every list: nobody follows each of hundreds of entries.
  publishRecordChange(context.program, registry.getOrThrow(entries), { id: 0, site_id: site }, 'changed', trx);
  return ids.toSorted((left, right) => left - right);
}

/** Other proposals about a test that can be about the one that is kept, by which of their two tests it is. */
async function otherProposals(
  id: number,
  test: number,
  keptId: number,
  trx: Transaction,
): Promise<BeforeMerge['proposals']> {
  const find = async (column: 'earlier_id' | 'test_id') => {
    const [ownColumn, otherColumn] = [
      sql.id('p', column),
      sql.id('p', column === 'earlier_id' ? 'test_id' : 'earlier_id'),
    ];
    const sharedColumn = sql.id('o', column === 'earlier_id' ? 'test_id' : 'earlier_id');
    const { rows } = await sql<{ id: number }>`select p.id from public.match_proposals p
      where ${ownColumn} = ${test} and p.id <> ${id} and ${otherColumn} is distinct from ${keptId}
        and not exists (select from public.match_proposals o where o.id <> ${id} and ${sql.id('o', column)} = ${keptId}
          and (${sharedColumn} = ${otherColumn} or o.state = 'open' and p.state = 'open'))
      order by p.id for update of p`.execute(trx);
    return rows.map((row) => row.id);
  };
  return { earlier: await find('earlier_id'), test: await find('test_id') };
}

/** Lets proposals be about another test. */
async function pointProposals(
  { earlier: earlierIds, test: laterIds }: BeforeMerge['proposals'],
  test: number,
  trx: Transaction,
): Promise<void> {
  await sql`update public.match_proposals set earlier_id = ${test} where id = any(${earlierIds}::bigint[])`.execute(
    trx,
  );
  await sql`update public.match_proposals set test_id = ${test} where id = any(${laterIds}::bigint[])`.execute(trx);
}

/** Inserts the removed test as it was; a test case or an owner that is gone since is left out. */
async function restoreTest(context: RequestContext, { test, aliases }: BeforeMerge, trx: Transaction): Promise<void> {
  const definition = context.registry.getOrThrow(tests);
  const { rows } = await sql<ResourceRecord>`select
    (select c.id from public.test_cases c where c.id = ${test.test_case_id}::bigint) as test_case_id,
    (select u.id from public.users u where u.id = ${test.owner_id}::bigint) as owner_id`.execute(trx);
  await insertStored('automated_tests', [{ ...test, ...rows[0] }], trx);
  await insertStored(
    'automated_tests__aliases',
    aliases.map((alias) => ({ ...alias, site_id: test.site_id })),
    trx,
  );
  await addHistoryEntry({ context, definition, queries: trx }, { record: test, event: 'restored' });
  publishRecordChange(context.program, definition, test, 'restored', trx);
}

/** Inserts rows as `to_jsonb` gave them; what PostgreSQL derives itself is left to it. */
async function insertStored(table: string, storedRows: readonly ResourceRecord[], trx: Transaction): Promise<void> {
  const { rows } = await sql<{ name: string }>`select column_name as name from information_schema.columns
    where table_schema = 'public' and table_name = ${table} and is_generated = 'NEVER'`.execute(trx);
  const columns = sql.join(rows.map(({ name }) => sql.id(name)));
  await sql`insert into ${sql.id('public', table)} (${columns}) overriding system value
    select ${columns} from jsonb_populate_recordset(null::${sql.id('public', table)}, ${JSON.stringify(storedRows)}::jsonb)`.execute(
    trx,
  );
}

async function refreshLastResult(id: number, trx: Transaction): Promise<void> {
  await sql`update public.automated_tests a set (last_result, last_run_at) = (
      select e.result, e.run_at from public.run_entries e
      where e.automated_test_id = a.id and e.result <> 'not_run' order by e.run_at desc nulls last, e.id desc limit 1)
    where a.id = ${id}`.execute(trx);
}

async function storeDecision(
  context: RequestContext,
  id: number,
  values: ResourceRecord,
  trx: Transaction,
): Promise<void> {
  const decided = { ...values, decided_by: context.actor.id, decided_at: context.now };
  await storeChanges({ context, definition: context.registry.getOrThrow(proposals), trx }, id, fixedInput(decided));
}
