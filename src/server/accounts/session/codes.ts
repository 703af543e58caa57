import { randomInt } from 'node:crypto';
import { sql } from 'kysely';
import type { Queries, Transaction } from '../../database/database';
import { hashToken } from './tokens';

const hour = 60 * 60 * 1000;
/** The purposes of mailed codes, and their lifetimes in milliseconds. */
const codeLifetimes = {
  reset: hour,
  setup: 7 * 24 * hour,
  confirm: 7 * 24 * hour,
  address: 24 * hour,
} as const;
export type CodePurpose = keyof typeof codeLifetimes;

// Without look-alike characters: codes are sometimes typed.
const alphabet = 'ABCDEFGHJKLMNPQRSTUVWXYZabcdefghijkmnpqrstuvwxyz23456789';
const length = 24;

/** Creates a code for a user and replaces an older one for the same purpose. Only its hash is stored. */
export async function issueCode(trx: Transaction, userId: number, purpose: CodePurpose): Promise<string> {
  const code = Array.from({ length }, () => alphabet[randomInt(alphabet.length)]).join('');
  const expires = new Date(Date.now() + codeLifetimes[purpose]);
  await sql`insert into assay.codes (user_id, purpose, hash, expires_at)
    values (${userId}, ${purpose}, ${hashToken(code)}, ${expires})
    on conflict (user_id, purpose) do update set hash = excluded.hash, expires_at = excluded.expires_at`.execute(trx);
  return code;
}

/** A code that was sent and has not been used. */
export interface FoundCode {
  readonly userId: number;
  readonly purpose: CodePurpose;
  readonly hasExpired: boolean;
}

/** Finds an unused code; undefined if it is wrong, used or replaced. */
export async function findCode(queries: Queries, code: string): Promise<FoundCode | undefined> {
  const { rows } = await sql<FoundCode>`select user_id as "userId", purpose, expires_at <= ${new Date()} as "hasExpired"
    from assay.codes where hash = ${hashToken(code)}`.execute(queries);
  return rows[0];
}

/** Uses up a code for one of these purposes. Returns its user; undefined if it is wrong, used or expired. */
export async function redeemCode(
  trx: Transaction,
  code: string,
  purposes: readonly CodePurpose[],
): Promise<{ userId: number; purpose: CodePurpose } | undefined> {
  const { rows } = await sql<{ user_id: number; purpose: CodePurpose; good: boolean }>`
    delete from assay.codes where hash = ${hashToken(code)} and purpose = any(${purposes as string[]})
    returning user_id, purpose, expires_at > ${new Date()} as good`.execute(trx);
  const [row] = rows;
  return row?.good ? { userId: row.user_id, purpose: row.purpose } : undefined;
}

/** Deletes all codes of a user: of one who has lost access, or whose email address has changed. */
export async function deleteCodes(trx: Transaction, userId: number): Promise<void> {
  await sql`delete from assay.codes where user_id = ${userId}`.execute(trx);
}
