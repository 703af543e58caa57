import { sql } from 'kysely';
import type { Transaction } from './database';
import { lockTimeout } from './timeouts';

/** The advisory lock of whoever changes tables: a start, a publication, a restore. */
export const schemaLockKey = 0x61_73_73_79;

/** Milliseconds to wait for it: as long as another server may take to change large tables, or to load demo data. */
const schemaLockTimeout = 600_000;

/**
 * Lets one server at a time change tables until the transaction ends; then waits at most `timeout` milliseconds for each
 * other lock. Throws PostgreSQL's error 55P03 after ten minutes.
 */
export async function lockSchema(trx: Transaction, timeout: number = lockTimeout): Promise<void> {
  await sql
    .raw(
      `set local statement_timeout = 0; set local lock_timeout = ${schemaLockTimeout};
      select pg_advisory_xact_lock(${schemaLockKey}); set local lock_timeout = ${timeout}`,
    )
    .execute(trx);
}
