import { sql } from 'kysely';
import type { ResourceRecord } from '../../engine/definitions/definition';
import { assertGranted } from '../../server/access/access-filter';
import type { RequestContext } from '../../server/access/request-context';
import type { Transaction } from '../../server/database/database';
import { Conflict } from '../../server/errors/errors';
import { storeChanges } from '../../server/records/write/update';
import { assertNotArchived, lockRow } from '../../server/records/write/stored-row';
import { closedRunMessage, entries, resultsRefusal, runs } from './definitions';
import { fixedInput } from './fixed-input';

/** A run whose tests are about to change. */
export interface HeldRun {
  readonly id: number;
  readonly project_id: number;
  readonly values: ResourceRecord;
}

/**
 * A run that the caller may change, with tests that they may add or change. It cannot be closed until the transaction
 * ends. Throws Forbidden, NotFound, or Conflict for a closed one.
 */
export async function holdOpenRun(
  context: RequestContext,
  id: number,
  action: 'create' | 'edit',
  trx: Transaction,
): Promise<HeldRun> {
  const definition = context.registry.getOrThrow(runs);
  assertGranted(context, context.registry.getOrThrow(entries), action);
  const row = await lockRow({ context, definition, trx }, id, 'refer');
  assertNotArchived(definition, row);
  await assertOpen(id, trx);
  return { id, project_id: row.values.project_id as number, values: row.values };
}

/**
 * Throws Conflict if a run is closed, and keeps it open until the transaction ends. People who store results of the same
 * run do not wait for each other.
 */
export async function assertOpen(id: number, trx: Transaction): Promise<void> {
  const { rows } = await sql<{ state: string }>`select r.state from public.test_runs r
    where r.id = ${id} for share of r`.execute(trx);
  if (rows[0]?.state === 'closed') throw new Conflict(closedRunMessage);
}

/**
 * Lets a run take a result until the transaction ends: one that is not started begins. Throws Conflict if it is closed,
 * paused or in review.
 */
export async function holdForResults(context: RequestContext, id: number, trx: Transaction): Promise<void> {
  // Not locked at once: who shares a lock and then wants it alone could wait for another who does the same.
  const { rows } = await sql<{ state: string }>`select r.state from public.test_runs r where r.id = ${id}`.execute(trx);
  const definition = context.registry.getOrThrow(runs);
  if (rows[0]?.state === 'planned') {
    const row = await lockRow({ context, definition, trx }, id);
    if (row.values.state === 'planned')
      await storeChanges({ context, definition, trx }, id, fixedInput({ state: 'open' }), row);
  }
  const lockedRun = await sql<{ state: string }>`select r.state from public.test_runs r
    where r.id = ${id} for share of r`.execute(trx);
  const refusal = resultsRefusal(lockedRun.rows[0]?.state ?? 'closed');
  if (refusal !== undefined) throw new Conflict(refusal);
}
