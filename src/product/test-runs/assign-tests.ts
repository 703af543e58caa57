import { sql } from 'kysely';
import type { RequestContext } from '../../server/access/request-context';
import type { Transaction } from '../../server/database/database';
import { Invalid } from '../../server/errors/errors';
import { BatchState } from '../../server/records/write/record-write';
import { updateMany } from '../../server/records/write/update';
import { entries } from './definitions';
import { fixedInput } from './fixed-input';
import { holdOpenRun, type HeldRun } from './run-access';
import { firstOf, getOrThrow, itemAt } from '../../engine/values/lookups';

/** Who runs what. */
export interface Assignment {
  /** `round_robin`: one after the other · `module`: all tests of a module go to the same person. */
  readonly by: 'round_robin' | 'module';
  /** The people, each as often as they are named. */
  readonly users: readonly number[];
  /** Only these tests of the run. Default: all that nobody has yet and that were not run. */
  readonly entries?: readonly number[];
}

/** How many are stored together. */
const batchSize = 500;

interface OpenTest {
  readonly id: number;
  readonly module: number | null;
}

/**
 * `POST test-runs/{id}/assign`: assigns tests of a run to people in turn. Throws Forbidden, NotFound, Conflict if the run
 * is closed, and Invalid.
 */
export async function assignTestsOfRun(
  context: RequestContext,
  id: number,
  assignment: Assignment,
): Promise<{ changed: number }> {
  const changedCount = await context.program.database.transaction(async (trx) =>
    assignTests(context, await holdOpenRun(context, id, 'edit', trx), assignment, trx),
  );
  return { changed: changedCount };
}

/** Returns how many tests changed. */
export async function assignTests(
  context: RequestContext,
  run: HeldRun,
  assignment: Assignment,
  trx: Transaction,
): Promise<number> {
  const definition = context.registry.getOrThrow(entries);
  const tests = await findTests(run, assignment, trx);
  const { by: method, users } = assignment;
  const turns = new Map<number | null, number>();
  const turnOf = ({ module }: OpenTest, index: number) => {
    if (method === 'round_robin') return index;
    if (!turns.has(module)) turns.set(module, turns.size);
    return getOrThrow(turns, module);
  };
  const changes = tests.map((test, index) => ({
    id: test.id,
    input: fixedInput({ assigned_to: itemAt(users, turnOf(test, index) % users.length) }),
  }));
  const state = new BatchState();
  let changedCount = 0;
  for (let start = 0; start < changes.length; start += batchSize) {
    const batch = changes.slice(start, start + batchSize);
    for (const outcome of await updateMany({ context, definition, trx }, batch, state)) {
      if ('errors' in outcome) {
        const { errors, refusal = new Invalid(errors) } = outcome;
        throw refusal instanceof Invalid ? new Invalid({ users: firstOf(Object.values(errors)) }) : refusal;
      }
      if (outcome.isChanged) changedCount++;
    }
  }
  return changedCount;
}

async function findTests(
  { id }: HeldRun,
  { entries: chosenEntries }: Assignment,
  trx: Transaction,
): Promise<OpenTest[]> {
  const condition = chosenEntries
    ? sql`e.id = any(${chosenEntries}::bigint[])`
    : sql`e.assigned_to is null and e.result = 'not_run'`;
  const { rows } = await sql<OpenTest>`select e.id, c.project_module as module
    from public.run_entries e left join public.test_cases c on c.id = e.test_case_id
    where e.run_id = ${id} and ${condition} order by e.position, e.id`.execute(trx);
  const missingId = chosenEntries?.find((entryId) => !rows.some((row) => row.id === entryId));
  if (missingId !== undefined) throw new Invalid({ entries: `The test ${missingId} is not in this run.` });
  return rows;
}
