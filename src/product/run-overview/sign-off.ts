import { sql } from 'kysely';
import type { RequestContext } from '../../server/access/request-context';
import type { Transaction } from '../../server/database/database';
import { Conflict } from '../../server/errors/errors';
import { translateDatabaseErrors } from '../../server/records/write/row-writes';
import { assertNotArchived, lockRow } from '../../server/records/write/stored-row';
import { storeChanges } from '../../server/records/write/update';
import { runs } from '../test-runs/definitions';
import { fixedInput } from '../test-runs/fixed-input';
import { assertReadable } from './report';
import { stampsOf, type StoredStamp } from './stamps';
import { describeState } from './state-of-run';

/** The most people who can sign off one run. */
const maxStamps = 20;

/**
 * `POST test-runs/{id}/stamp`: the caller signs off the run as it is now, open or closed; their earlier stamp is
 * replaced. Returns the fingerprint of the run. Throws Forbidden, NotFound, and Conflict if it has too many stamps.
 */
export function stampRun(
  context: RequestContext,
  id: number,
  comment: string | null,
): Promise<{ fingerprint: string; at: string }> {
  assertReadable(context);
  const ownId = context.actor.id;
  return changeStamps(context, id, async (stamps, key, trx) => {
    const otherStamps = stamps.filter(({ user_id }) => user_id !== ownId);
    if (otherStamps.length >= maxStamps) throw new Conflict(`At most ${maxStamps} people can sign off a test run.`);
    // A result that is being stored is either part of what is signed off, or comes after it.
    await sql`select e.id from public.run_entries e where e.run_id = ${id} order by e.id for share of e`.execute(trx);
    const { fingerprint } = await describeState(trx, context.registry, { id, key });
    const stampedAt = context.now;
    return {
      stamps: [...otherStamps, { user_id: ownId, at: stampedAt, fingerprint, comment }],
      answer: { fingerprint, at: stampedAt },
    };
  });
}

/** `DELETE test-runs/{id}/stamp`: takes the caller's stamp away. Throws Forbidden and NotFound. */
export function removeStamp(context: RequestContext, id: number): Promise<{ removed: boolean }> {
  return changeStamps(context, id, (stamps) => {
    const otherStamps = stamps.filter(({ user_id }) => user_id !== context.actor.id);
    return Promise.resolve({ stamps: otherStamps, answer: { removed: otherStamps.length < stamps.length } });
  });
}

/** Changes the stamps of a run in one transaction, with its history. */
function changeStamps<Answer>(
  context: RequestContext,
  id: number,
  change: (
    stamps: readonly StoredStamp[],
    key: string | null,
    trx: Transaction,
  ) => Promise<{ stamps: readonly StoredStamp[]; answer: Answer }>,
): Promise<Answer> {
  const definition = context.registry.getOrThrow(runs);
  const store = () =>
    context.program.database.transaction(async (trx) => {
      const row = await lockRow({ context, definition, trx }, id);
      assertNotArchived(definition, row);
      const { stamps, answer } = await change(stampsOf(row.values), row.values.key as string | null, trx);
      await storeChanges({ context, definition, trx }, id, fixedInput({ stamps }), row);
      return answer;
    });
  return translateDatabaseErrors(context, definition, store);
}
