import type { NotNull } from 'kysely';
import type { Queries, Transaction } from '../../database/database';
import { onEngineTables } from '../../database/engine-tables';
import type { Program } from '../../program';
import { secretBoxOf } from '../../secrets/secret-box';

/** Codes are accepted so many seconds before and after now: one step each, for clocks that differ. */
const tolerance = 30;
/** How long a setup can be completed, in milliseconds. */
const setupLifetime = 60 * 60_000;

/** The data for setting up an authenticator app. */
export interface NewAuthenticator {
  /** In base32, to be typed where the QR code cannot be scanned. */
  readonly secret: string;
  /** The content of the QR code. */
  readonly uri: string;
}

const secretContext = (userId: number) => `authenticator of ${userId}`;

/** Starts setting up an authenticator app; the current one stays active until a code of the new one is entered. */
export async function beginAuthenticator(program: Program, userId: number, email: string): Promise<NewAuthenticator> {
  const { generateSecret, generateURI } = await import('otplib');
  const secret = generateSecret();
  const encryptedSecret = (await secretBoxOf(program.settings)).encrypt(secret, secretContext(userId));
  await onEngineTables(program.database.kysely)
    .insertInto('authenticators')
    .values({ user_id: userId, pending_secret: encryptedSecret, pending_at: new Date() })
    .onConflict((conflict) =>
      conflict.column('user_id').doUpdateSet(({ ref }) => ({
        pending_secret: ref('excluded.pending_secret'),
        pending_at: ref('excluded.pending_at'),
      })),
    )
    .execute();
  return { secret, uri: generateURI({ issuer: program.product.title, label: email, secret }) };
}

/** Activates the authenticator app that is being set up if a code of it is right. */
export async function confirmAuthenticator(
  program: Program,
  trx: Transaction,
  userId: number,
  code: string,
): Promise<boolean> {
  const row = await onEngineTables(trx)
    .selectFrom('authenticators')
    .select('pending_secret')
    .where('user_id', '=', userId)
    .where('pending_secret', 'is not', null)
    .where('pending_at', '>', new Date(Date.now() - setupLifetime).toISOString())
    .forUpdate()
    .$narrowType<{ pending_secret: NotNull }>()
    .executeTakeFirst();
  if (!row) return false;
  const secret = (await secretBoxOf(program.settings)).decrypt(row.pending_secret, secretContext(userId));
  const step = await timeStepOf(secret, code);
  if (step === undefined) return false;
  await onEngineTables(trx)
    .updateTable('authenticators')
    .set(({ ref }) => ({
      secret: ref('pending_secret'),
      confirmed_at: new Date(),
      last_step: step,
      pending_secret: null,
      pending_at: null,
    }))
    .where('user_id', '=', userId)
    .execute();
  return true;
}

/** Checks a code of a user's authenticator app and uses it up. Returns whether it was right and unused. */
export async function useAuthenticator(
  program: Program,
  trx: Transaction,
  userId: number,
  code: string,
): Promise<boolean> {
  const row = await onEngineTables(trx)
    .selectFrom('authenticators')
    .select(['secret', 'last_step'])
    .where('user_id', '=', userId)
    .where('secret', 'is not', null)
    .forUpdate()
    .$narrowType<{ secret: NotNull }>()
    .executeTakeFirst();
  if (!row) return false;
  const box = await secretBoxOf(program.settings);
  const secret = box.decrypt(row.secret, secretContext(userId));
  const step = await timeStepOf(secret, code, row.last_step ?? undefined);
  if (step === undefined) return false;
  const encryptedSecret = box.isPreviousKey(row.secret) ? box.encrypt(secret, secretContext(userId)) : row.secret;
  await onEngineTables(trx)
    .updateTable('authenticators')
    .set({ last_step: step, secret: encryptedSecret })
    .where('user_id', '=', userId)
    .execute();
  return true;
}

/** Since when a user has an authenticator app; null without one. */
export async function authenticatorSince(queries: Queries, userId: number): Promise<string | null> {
  const authenticator = await onEngineTables(queries)
    .selectFrom('authenticators')
    .select('confirmed_at')
    .where('user_id', '=', userId)
    .where('secret', 'is not', null)
    .executeTakeFirst();
  return authenticator?.confirmed_at ?? null;
}

/** Removes a user's authenticator app. Returns whether there was one. */
export async function removeAuthenticator(trx: Transaction, userId: number): Promise<boolean> {
  const removedRow = await onEngineTables(trx)
    .deleteFrom('authenticators')
    .where('user_id', '=', userId)
    .returning((eb) => eb('secret', 'is not', null).as('had'))
    .executeTakeFirst();
  return Boolean(removedRow?.had);
}

/** The time step of a code; undefined if it is wrong, or not after the last used step. */
async function timeStepOf(secret: string, code: string, afterTimeStep?: number): Promise<number | undefined> {
  if (!/^\d{6}$/.test(code)) return undefined;
  const { verifySync } = await import('otplib');
  const result = verifySync({ secret, token: code, epochTolerance: tolerance, afterTimeStep });
  return result.valid && 'timeStep' in result ? result.timeStep : undefined;
}
