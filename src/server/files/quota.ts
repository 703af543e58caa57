import { sql } from 'kysely';
import type { Transaction } from '../database/database';
import { TooLarge } from '../errors/errors';
import { inUnits } from '../settings/read-size';
import type { Limits } from '../settings/limits';

/** What a file is stored for, and at whose charge. */
export interface Owner {
  readonly resource: string;
  readonly field: string;
  /** The id of who stores it. */
  readonly person?: number;
  /** The id of the company whose record it belongs to. */
  readonly company?: number | null;
}

/**
 * Holds the storage of a company and of a person until the transaction ends, so that two files at a time cannot both take
 * what is left. Throws TooLarge (`QUOTA_EXCEEDED`) where another `size` bytes would be too many.
 */
export async function mustFitQuota(
  { storagePerCompany, storagePerPerson }: Limits,
  size: number,
  { person, company }: Owner,
  trx: Transaction,
): Promise<void> {
  // In this order always: two that wait for each other would wait for good.
  if (company && storagePerCompany > 0) {
    await mustFit('site_id', company, size, storagePerCompany, 'Your company', trx);
  }
  if (person && storagePerPerson > 0) await mustFit('user_id', person, size, storagePerPerson, 'You', trx);
}

async function mustFit(
  column: 'site_id' | 'user_id',
  id: number,
  size: number,
  most: number,
  who: string,
  trx: Transaction,
): Promise<void> {
  await sql`select pg_advisory_xact_lock(hashtextextended(${`files ${column} ${id}`}, 0))`.execute(trx);
  const { rows } = await sql<{ taken: number }>`select coalesce(sum(size), 0)::float8 as taken
    from assay.files where ${sql.id(column)} = ${id}`.execute(trx);
  const { taken } = rows[0]!;
  if (taken + size <= most) return;
  const words = `${who} may store ${inUnits(most)} of files, and ${inUnits(taken)} are taken: a file of ${inUnits(size)} does not fit.`;
  throw new TooLarge(`${words} Delete records or files that are no longer needed.`, 'QUOTA_EXCEEDED');
}
