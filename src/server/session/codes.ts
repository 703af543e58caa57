import { randomInt } from 'node:crypto';
import { sql } from 'kysely';
import type { Queries, Transaction } from '../database/database';
import { hashToken } from './token-text';

const hour = 60 * 60 * 1000;
/** What a code in a mail is good for, and for how many milliseconds. */
export const codeLifetimes = {
  reset: hour,
  setup: 7 * 24 * hour,
  confirm: 7 * 24 * hour,
  address: 24 * hour,
} as const;
export type CodePurpose = keyof typeof codeLifetimes;

// Without those that look alike: a code is sometimes typed.
const signs = 'ABCDEFGHJKLMNPQRSTUVWXYZabcdefghijkmnpqrstuvwxyz23456789';
const length = 24;

/** Makes a code for a user, which ends an older one for the same purpose. It is not kept anywhere, only its hash is. */
export async function issueCode(trx: Transaction, userId: number, purpose: CodePurpose): Promise<string> {
  const code = Array.from({ length }, () => signs[randomInt(signs.length)]).join('');
  const expires = new Date(Date.now() + codeLifetimes[purpose]);
  await sql`insert into assay.codes (user_id, purpose, hash, expires_at)
    values (${userId}, ${purpose}, ${hashToken(code)}, ${expires})
    on conflict (user_id, purpose) do update set hash = excluded.hash, expires_at = excluded.expires_at`.execute(trx);
  return code;
}

/** A code that was sent and not used yet. */
export interface FoundCode {
  readonly userId: number;
  readonly purpose: CodePurpose;
  readonly hasExpired: boolean;
}

/** What a code is for, and whose; undefined for one that is wrong, used or replaced. */
export async function findCode(queries: Queries, code: string): Promise<FoundCode | undefined> {
  const { rows } = await sql<FoundCode>`select user_id as "userId", purpose, expires_at <= ${new Date()} as "hasExpired"
    from assay.codes where hash = ${hashToken(code)}`.execute(queries);
  return rows[0];
}

/** Uses up a code for one of these purposes. Answers whose it was; undefined for one that is wrong, used or out of date. */
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

/** Ends every code of a user: of one who may not enter any more, or whose address is another now. */
export async function endCodes(trx: Transaction, userId: number): Promise<void> {
  await sql`delete from assay.codes where user_id = ${userId}`.execute(trx);
}
