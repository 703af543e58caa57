import { sql } from 'kysely';
import type { Transaction } from '../database/database';
import { TooLarge } from '../errors/errors';
import { formatSize } from '../settings/read-size';
import type { Limits } from '../settings/limits';
import { oneRow } from '../database/one-row';

/** The field that a file is stored for, and whose quota it counts towards. */
export interface FileOwner {
  readonly resource: string;
  readonly field: string;
  /** The id of the user who stores it. */
  readonly person?: number;
  /** The id of the company whose record it belongs to. */
  readonly company?: number | null;
  /** It is uploaded before its record is saved. */
  readonly isWaiting?: true;
}

/**
 * Locks the quotas of a company and a user until the transaction ends, so that concurrent uploads cannot exceed them.
 * Throws TooLarge (`QUOTA_EXCEEDED`) if another `size` bytes do not fit.
 */
export async function assertWithinQuota(
  { storagePerCompany, storagePerPerson }: Limits,
  size: number,
  { person, company }: FileOwner,
  trx: Transaction,
): Promise<void> {
  // Always in this order, to avoid deadlocks.
  if (company && storagePerCompany > 0) {
    await assertWithinLimit('site_id', company, size, storagePerCompany, 'Your company', trx);
  }
  if (person && storagePerPerson > 0) await assertWithinLimit('user_id', person, size, storagePerPerson, 'You', trx);
}

async function assertWithinLimit(
  column: 'site_id' | 'user_id',
  id: number,
  size: number,
  maxBytes: number,
  ownerName: string,
  trx: Transaction,
): Promise<void> {
  await sql`select pg_advisory_xact_lock(hashtextextended(${`files ${column} ${id}`}, 0))`.execute(trx);

  const { taken: usedBytes } = oneRow(
    await sql<{ taken: number }>`select coalesce(sum(size), 0)::float8 as taken
    from assay.files f where ${sql.id(column)} = ${id}
      and not exists (select from assay.deleted_files d where d.key = f.key)`.execute(trx),
  );
  if (usedBytes + size <= maxBytes) return;
  const words = `${ownerName} can store ${formatSize(maxBytes)} of files, and ${formatSize(usedBytes)} are used: a file of ${formatSize(size)} does not fit.`;
  throw new TooLarge(`${words} Delete records or files that are no longer needed.`, 'QUOTA_EXCEEDED');
}
