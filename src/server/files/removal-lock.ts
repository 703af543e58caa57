import { sql } from 'kysely';
import type pg from 'pg';
import type { Queries } from '../database/database';

/** Held by a backup for as long as it runs, shared for a moment by whatever removes files for good. */
const key = 0x62_61_63_6b;

/** Keeps files from being removed until the session ends. Throws where another backup is running. */
export async function keepFiles(client: pg.ClientBase): Promise<void> {
  const { rows } = await client.query<{ locked: boolean }>(`
    select pg_try_advisory_lock(${key}) as locked`);
  if (rows[0]!.locked) return;
  // A removal holds it for milliseconds, a backup for as long as it runs.
  await client.query(`set lock_timeout = '5s'`);
  try {
    await client.query(`select pg_advisory_lock(${key})`);
  } catch (error) {
    if ((error as { code?: string }).code !== '55P03') throw error;
    throw new Error('Another backup of this database is running. Wait until it has ended, then try again.');
  } finally {
    await client.query('set lock_timeout = 0').catch(() => undefined);
  }
}

/** Whether files may be removed now; until the transaction ends no backup begins. While one runs, they may not. */
export async function mayRemoveFiles(trx: Queries): Promise<boolean> {
  const { rows } = await sql<{ locked: boolean }>`
    select pg_try_advisory_xact_lock_shared(${sql.lit(key)}) as locked`.execute(trx);
  return rows[0]!.locked;
}
