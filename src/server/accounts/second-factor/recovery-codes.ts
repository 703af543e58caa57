import { randomInt } from 'node:crypto';
import type { Queries, Transaction } from '../../database/database';
import { onEngineTables } from '../../database/engine-tables';
import type { Program } from '../../program';
import { secretBoxOf } from '../../secrets/secret-box';
import { firstOf } from '../../../engine/values/lookups';

const count = 10;
// Without look-alike characters: codes are read from paper.
const alphabet = 'abcdefghjkmnpqrstuvwxyz23456789';
const partLength = 5;

/** Creates a new set of codes, which replaces the previous one. Only hashes are stored. */
export async function issueRecoveryCodes({ settings }: Program, trx: Transaction, userId: number): Promise<string[]> {
  const box = await secretBoxOf(settings);
  const codes = Array.from({ length: count }, () => `${randomPart()}-${randomPart()}`);
  const hashes = codes.map((code) => firstOf(box.hashes(normalizeCode(code))));
  const engineTables = onEngineTables(trx);
  await engineTables.deleteFrom('recovery_codes').where('user_id', '=', userId).execute();
  await engineTables
    .insertInto('recovery_codes')
    .values(hashes.map((hash) => ({ user_id: userId, hash })))
    .execute();
  return codes;
}

/** Uses up a code. Returns whether it was valid and unused. */
export async function useRecoveryCode(
  { settings }: Program,
  trx: Transaction,
  userId: number,
  code: string,
): Promise<boolean> {
  const hashes = (await secretBoxOf(settings)).hashes(normalizeCode(code));
  const usedCodes = await onEngineTables(trx)
    .updateTable('recovery_codes')
    .set({ used_at: new Date() })
    .where('user_id', '=', userId)
    .where('hash', 'in', hashes)
    .where('used_at', 'is', null)
    .returning('user_id')
    .execute();
  return usedCodes.length > 0;
}

/** How many codes a user has left. */
export async function recoveryCodesLeft(queries: Queries, userId: number): Promise<number> {
  const { left } = await onEngineTables(queries)
    .selectFrom('recovery_codes')
    .select(({ fn }) => fn.countAll<number>().as('left'))
    .where('user_id', '=', userId)
    .where('used_at', 'is', null)
    .executeTakeFirstOrThrow();
  return left;
}

function randomPart(): string {
  return Array.from({ length: partLength }, () => alphabet[randomInt(alphabet.length)]).join('');
}

/** Normalises a code: case, spaces and dashes do not matter. */
function normalizeCode(code: string): string {
  return code.toLowerCase().replace(/[^a-z\d]/g, '');
}
