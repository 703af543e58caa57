import { randomInt } from 'node:crypto';
import { sql } from 'kysely';
import type { Queries, Transaction } from '../../database/database';
import type { Program } from '../../program';
import { secretBoxOf } from '../../secrets/secret-box';

const count = 10;
// Without look-alike characters: codes are read from paper.
const alphabet = 'abcdefghjkmnpqrstuvwxyz23456789';
const partLength = 5;

/** Creates a new set of codes, which replaces the previous one. Only hashes are stored. */
export async function issueRecoveryCodes({ settings }: Program, trx: Transaction, userId: number): Promise<string[]> {
  const box = await secretBoxOf(settings);
  const codes = Array.from({ length: count }, () => `${randomPart()}-${randomPart()}`);
  const hashes = codes.map((code) => box.hashes(normalizeCode(code))[0]!);
  await sql`delete from assay.recovery_codes where user_id = ${userId}`.execute(trx);
  await sql`insert into assay.recovery_codes (user_id, hash)
    values ${sql.join(hashes.map((hash) => sql`(${userId}, ${hash})`))}`.execute(trx);
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
  const { rows } = await sql`update assay.recovery_codes set used_at = ${new Date()}
    where user_id = ${userId} and hash in (${sql.join(hashes)}) and used_at is null returning 1`.execute(trx);
  return rows.length > 0;
}

/** How many codes a user has left. */
export async function recoveryCodesLeft(queries: Queries, userId: number): Promise<number> {
  const { rows } = await sql<{ left: number }>`select count(*)::int as left from assay.recovery_codes
    where user_id = ${userId} and used_at is null`.execute(queries);
  return rows[0]!.left;
}

function randomPart(): string {
  return Array.from({ length: partLength }, () => alphabet[randomInt(alphabet.length)]).join('');
}

/** Normalises a code: case, spaces and dashes do not matter. */
function normalizeCode(code: string): string {
  return code.toLowerCase().replace(/[^a-z\d]/g, '');
}
