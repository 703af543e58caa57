import { sql } from 'kysely';
import type pg from 'pg';
import type { Queries } from '../database/database';
import { oneRow } from '../database/one-row';

/** An advisory lock: exclusive during a backup, shared for a moment by everything that deletes files. */
const lockKey = 0x62_61_63_6b;

/** Prevents files from being deleted until the session ends. Throws if another backup is running. */
export async function preventFileDeletion(client: pg.ClientBase): Promise<void> {
  const row = oneRow(
    await client.query<{ locked: boolean }>(`
    select pg_try_advisory_lock(${lockKey}) as locked`),
  );
  if (row.locked) return;
  // A deletion holds it for milliseconds, a backup until it ends.
  await client.query(`set lock_timeout = '5s'`);
  try {
    await client.query(`select pg_advisory_lock(${lockKey})`);
  } catch (error) {
    if ((error as { code?: string }).code !== '55P03') throw error;
    throw new Error('Another backup of this database is running. Wait until it has ended, then try again.');
  } finally {
    await client.query('set lock_timeout = 0').catch(() => undefined);
  }
}

/** Whether files may be deleted now: not during a backup. If so, no backup starts until the transaction ends. */
export async function canDeleteFiles(trx: Queries): Promise<boolean> {
  const row = oneRow(
    await sql<{ locked: boolean }>`
    select pg_try_advisory_xact_lock_shared(${sql.lit(lockKey)}) as locked`.execute(trx),
  );
  return row.locked;
}
