import { sql } from 'kysely';
import { countCommitCallbacks, dropCommitCallbacks, type Transaction } from '../../database/database';
import { HttpError, Taken } from '../../errors/errors';
import { forgetRuleLocks } from './rule-locks';
import { countTakings, putBackAfter } from './sequences';

/**
 * Runs part of a transaction in a savepoint. On a refusal, by us or by PostgreSQL, undoes the part and returns the
 * error.
 */
export async function inSavepoint<T>(trx: Transaction, run: () => Promise<T>): Promise<T | HttpError> {
  const takings = countTakings(trx);
  const callbacks = countCommitCallbacks(trx);
  await sql`savepoint one_of_many`.execute(trx);
  try {
    const result = await run();
    await sql`release savepoint one_of_many`.execute(trx);
    return result;
  } catch (error) {
    await undoSavepoint(trx, 'one_of_many');
    dropCommitCallbacks(trx, callbacks);
    await putBackAfter(trx, takings);
    if (error instanceof Taken) return error.explained(trx);
    if (error instanceof HttpError) return error;
    if (/^23/.test((error as { code?: string }).code ?? ''))
      return new HttpError(409, 'CONFLICT', 'This record was used or removed in the meantime.');
    throw error;
  }
}

/** Runs part of a transaction and undoes what it writes; returns its result. */
export async function runAndUndo<T>(trx: Transaction, run: () => Promise<T>): Promise<T> {
  const takings = countTakings(trx);
  const callbacks = countCommitCallbacks(trx);
  await sql`savepoint undone_part`.execute(trx);
  try {
    return await run();
  } finally {
    await undoSavepoint(trx, 'undone_part');
    dropCommitCallbacks(trx, callbacks);
    await putBackAfter(trx, takings);
  }
}

/**
 * Undoes what was written since a savepoint, and removes it: a savepoint around it has the same name, and undoing that one
 * would only lead back to this one. One text, which is sent at once.
 */
async function undoSavepoint(trx: Transaction, name: string): Promise<void> {
  await sql.raw(`rollback to savepoint ${name}; release savepoint ${name}`).execute(trx);
  forgetRuleLocks(trx);
}
