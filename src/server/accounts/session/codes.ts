import { randomInt } from 'node:crypto';
import type { Queries, Transaction } from '../../database/database';
import { onEngineTables } from '../../database/engine-tables';
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
  await onEngineTables(trx)
    .insertInto('codes')
    .values({ user_id: userId, purpose, hash: hashToken(code), expires_at: expires })
    .onConflict((conflict) =>
      conflict
        .columns(['user_id', 'purpose'])
        .doUpdateSet(({ ref }) => ({ hash: ref('excluded.hash'), expires_at: ref('excluded.expires_at') })),
    )
    .execute();
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
  const codeRow = await onEngineTables(queries)
    .selectFrom('codes')
    .select(['user_id as userId', 'purpose'])
    .select((eb) => eb('expires_at', '<=', new Date().toISOString()).as('hasExpired'))
    .where('hash', '=', hashToken(code))
    .executeTakeFirst();
  return codeRow as FoundCode | undefined;
}

/** Uses up a code for one of these purposes. Returns its user; undefined if it is wrong, used or expired. */
export async function redeemCode(
  trx: Transaction,
  code: string,
  purposes: readonly CodePurpose[],
): Promise<{ userId: number; purpose: CodePurpose } | undefined> {
  const row = await onEngineTables(trx)
    .deleteFrom('codes')
    .where('hash', '=', hashToken(code))
    .where('purpose', 'in', purposes)
    .returning(['user_id', 'purpose'])
    .returning((eb) => eb('expires_at', '>', new Date().toISOString()).as('good'))
    .executeTakeFirst();
  return row?.good ? { userId: row.user_id, purpose: row.purpose as CodePurpose } : undefined;
}

/** Deletes all codes of a user: of one who has lost access, or whose email address has changed. */
export async function deleteCodes(trx: Transaction, userId: number): Promise<void> {
  await onEngineTables(trx).deleteFrom('codes').where('user_id', '=', userId).execute();
}
