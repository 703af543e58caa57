import { sql } from 'kysely';
import type { Transaction } from './database';

const KEY = 0x61_73_73_79;

/** Lets one server at a time change tables until the transaction ends; waits without a time limit. */
export async function lockSchema(trx: Transaction): Promise<void> {
  await sql.raw('set local statement_timeout = 0; set local lock_timeout = 0').execute(trx);
  await sql`select pg_advisory_xact_lock(${sql.lit(KEY)})`.execute(trx);
}
