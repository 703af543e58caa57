import { sql } from 'kysely';
import { generateSecret, generateURI, verifySync } from 'otplib';
import type { Queries, Transaction } from '../../database/database';
import type { Program } from '../../program';
import { secretBoxOf } from '../../secrets/secret-box';

/** Codes are accepted so many seconds before and after now: one step each, for clocks that differ. */
const tolerance = 30;
/** How long a setup can be completed, in milliseconds. */
const setupLifetime = 60 * 60_000;

/** What an authenticator app needs to be set up. */
export interface NewAuthenticator {
  /** In base32, to be typed where the QR code cannot be scanned. */
  readonly secret: string;
  /** The content of the QR code. */
  readonly uri: string;
}

const secretContext = (userId: number) => `authenticator of ${userId}`;

/** Starts setting up an authenticator app; the current one stays active until a code of the new one is entered. */
export async function beginAuthenticator(program: Program, userId: number, email: string): Promise<NewAuthenticator> {
  const secret = generateSecret();
  const sealed = (await secretBoxOf(program.settings)).encrypt(secret, secretContext(userId));
  await sql`insert into assay.authenticators (user_id, pending_secret, pending_at)
    values (${userId}, ${sealed}, ${new Date()})
    on conflict (user_id) do update set pending_secret = excluded.pending_secret, pending_at = excluded.pending_at`.execute(
    program.database.kysely,
  );
  return { secret, uri: generateURI({ issuer: program.product.title, label: email, secret }) };
}

/** Activates the authenticator app that is being set up if a code of it is right. */
export async function confirmAuthenticator(
  program: Program,
  trx: Transaction,
  userId: number,
  code: string,
): Promise<boolean> {
  const { rows } = await sql<{ pending_secret: Buffer }>`select pending_secret from assay.authenticators
    where user_id = ${userId} and pending_secret is not null and pending_at > ${new Date(Date.now() - setupLifetime)}
    for update`.execute(trx);
  const [row] = rows;
  if (!row) return false;
  const secret = (await secretBoxOf(program.settings)).decrypt(row.pending_secret, secretContext(userId));
  const step = timeStepOf(secret, code);
  if (step === undefined) return false;
  await sql`update assay.authenticators set secret = pending_secret, confirmed_at = ${new Date()}, last_step = ${step},
    pending_secret = null, pending_at = null where user_id = ${userId}`.execute(trx);
  return true;
}

/** Checks a code of a user's authenticator app and uses it up. Returns whether it was right and unused. */
export async function useAuthenticator(
  program: Program,
  trx: Transaction,
  userId: number,
  code: string,
): Promise<boolean> {
  const { rows } = await sql<{
    secret: Buffer;
    last_step: number | null;
  }>`select secret, last_step::int from assay.authenticators
    where user_id = ${userId} and secret is not null for update`.execute(trx);
  const [row] = rows;
  if (!row) return false;
  const box = await secretBoxOf(program.settings);
  const secret = box.decrypt(row.secret, secretContext(userId));
  const step = timeStepOf(secret, code, row.last_step ?? undefined);
  if (step === undefined) return false;
  const sealed = box.isPreviousKey(row.secret) ? box.encrypt(secret, secretContext(userId)) : row.secret;
  await sql`update assay.authenticators set last_step = ${step}, secret = ${sealed} where user_id = ${userId}`.execute(
    trx,
  );
  return true;
}

/** Since when a user has an authenticator app; null without one. */
export async function authenticatorSince(queries: Queries, userId: number): Promise<string | null> {
  const { rows } = await sql<{ confirmed_at: string }>`select confirmed_at from assay.authenticators
    where user_id = ${userId} and secret is not null`.execute(queries);
  return rows[0]?.confirmed_at ?? null;
}

/** Removes a user's authenticator app. Returns whether there was one. */
export async function removeAuthenticator(trx: Transaction, userId: number): Promise<boolean> {
  const { rows } = await sql<{ had: boolean }>`delete from assay.authenticators where user_id = ${userId}
    returning secret is not null as had`.execute(trx);
  return rows[0]?.had ?? false;
}

/** The time step of a code; undefined if it is wrong, or not after the last used step. */
function timeStepOf(secret: string, code: string, afterTimeStep?: number): number | undefined {
  if (!/^\d{6}$/.test(code)) return undefined;
  const result = verifySync({ secret, token: code, epochTolerance: tolerance, afterTimeStep });
  return result.valid && 'timeStep' in result ? result.timeStep : undefined;
}
