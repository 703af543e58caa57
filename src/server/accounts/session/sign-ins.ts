import { sql } from 'kysely';
import type { Queries, Transaction } from '../../database/database';
import { isReadOnlyError } from '../../database/database-errors';
import { hashToken, newToken } from './tokens';
import { onEngineTables } from '../../database/engine-tables';

const minute = 60_000;
const hour = 60 * minute;
/** A sign-in ends after so many milliseconds without use. */
export const maxIdle = 12 * hour;
/** The maximum lifetime of a sign-in in milliseconds. */
export const maxSignInAge = 30 * 24 * hour;
/** The lifetime of a token of a renewable sign-in in milliseconds. */
export const tokenLifetime = 15 * minute;
/** The time of last use is written at most once in so many milliseconds. */
export const touchInterval = minute;

/** An active sign-in. */
export interface SignIn {
  readonly id: number;
  readonly user_id: number;
  /** When the token expires, in milliseconds since 1970. */
  readonly endsAt: number;
  /** When the user last proved their identity, in milliseconds since 1970; 0 if unknown. */
  readonly provenAt: number;
}

/** The secrets of a new sign-in; they are not stored. */
export interface NewSignIn {
  readonly id: number;
  readonly token: string;
  /** Of a renewable sign-in: the secret for its next token. */
  readonly renewal?: string;
}

/** Options of a new sign-in. */
interface NewSignInOptions {
  readonly agent?: string;
  readonly renewable?: boolean;
  /** As in the security log. */
  readonly method?: string;
  /** When the user was authenticated, in milliseconds since 1970: now by default; null: unknown. */
  readonly provenAt?: number | null;
}

/** A query for active tokens: neither unused for too long nor too old. */
function activeTokens(queries: Queries, now = Date.now()) {
  return onEngineTables(queries)
    .selectFrom('tokens')
    .where('last_used_at', '>', new Date(now - maxIdle).toISOString())
    .where('created_at', '>', new Date(now - maxSignInAge).toISOString());
}

/**
 * Creates a sign-in. Without `renewable`, its token is valid as long as the sign-in; with it, for `tokenLifetime`, and
 * `renewSignIn` issues the next one.
 */
export async function beginSignIn(
  queries: Queries,
  userId: number,
  { agent, renewable = false, method, provenAt }: NewSignInOptions,
): Promise<NewSignIn> {
  const token = newToken();
  const renewal = renewable ? { family: newToken(), secret: newToken() } : undefined;
  const now = new Date();
  const { id } = await onEngineTables(queries)
    .insertInto('tokens')
    .values({
      user_id: userId,
      hash: hashToken(token),
      created_at: now,
      last_used_at: now,
      proven_at: provenAt === null ? null : new Date(Math.min(provenAt ?? Infinity, now.getTime())),
      method: method ?? null,
      agent: agent?.slice(0, 255) ?? null,
      ...(renewal && {
        expires_at: new Date(now.getTime() + tokenLifetime),
        renewal_family: hashToken(renewal.family),
        renewal_hash: hashToken(renewal.secret),
        renewed_at: now,
      }),
    })
    .returning('id')
    .executeTakeFirstOrThrow();
  await onEngineTables(queries)
    .deleteFrom('tokens')
    .where('user_id', '=', userId)
    .where((eb) =>
      eb.or([
        eb('last_used_at', '<=', new Date(now.getTime() - maxIdle).toISOString()),
        eb('created_at', '<=', new Date(now.getTime() - maxSignInAge).toISOString()),
      ]),
    )
    .execute();
  return { id, token, ...(renewal && { renewal: `${renewal.family}.${renewal.secret}` }) };
}

/** Finds the sign-in of a token's hash; undefined if there is none, or it or the token has expired. */
export async function findSignIn(
  queries: Queries,
  hash: Buffer,
): Promise<(SignIn & { readonly last_used_at: string }) | undefined> {
  const row = await activeTokens(queries)
    .select(['id', 'user_id', 'last_used_at', 'created_at', 'proven_at'])
    .select(sql<string | null>`case when hash = ${hash} then expires_at else former_expires_at end`.as('expires_at'))
    .where((eb) => eb.or([eb('hash', '=', hash), eb('former_hash', '=', hash)]))
    .executeTakeFirst();
  if (!row) return undefined;
  const { id, user_id, last_used_at, created_at, proven_at, expires_at } = row;
  const latest = Date.parse(created_at) + maxSignInAge;
  const endsAt = expires_at === null ? latest : Math.min(Date.parse(expires_at), latest);
  if (endsAt <= Date.now()) return undefined;
  return {
    id,
    user_id,
    endsAt,
    provenAt: proven_at === null ? 0 : Date.parse(proven_at),
    last_used_at,
  };
}

/**
 * Same, and records the use; undefined if there is none or it has ended. While the database is read-only the use is not
 * recorded, so that users can go on reading.
 */
export async function useSignIn(queries: Queries, hash: Buffer): Promise<SignIn | undefined> {
  const signIn = await findSignIn(queries, hash);
  if (!signIn) return undefined;
  if (Date.parse(signIn.last_used_at) <= Date.now() - touchInterval) {
    const update = onEngineTables(queries)
      .updateTable('tokens')
      .set({ last_used_at: new Date() })
      .where('id', '=', signIn.id)
      .execute();
    await update.catch((error: unknown) => {
      if (!isReadOnlyError(error)) throw error;
    });
  }
  return signIn;
}

/** The sign-ins of a user, most recently used first. */
export async function signInsOf(queries: Queries, userId: number) {
  return activeTokens(queries)
    .select(['id', 'created_at', 'last_used_at', 'agent'])
    .where('user_id', '=', userId)
    .orderBy('last_used_at', 'desc')
    .orderBy('id', 'desc')
    .execute();
}

/** Records that the user of a sign-in has just proved their identity. */
export async function recordSignInProof(trx: Transaction, id: number): Promise<void> {
  await onEngineTables(trx).updateTable('tokens').set({ proven_at: new Date() }).where('id', '=', id).execute();
}

/** Ends one sign-in of a user. Returns whether there was one. */
export async function endSignIn(queries: Queries, userId: number, id: number): Promise<boolean> {
  const deletion = await onEngineTables(queries)
    .deleteFrom('tokens')
    .where('id', '=', id)
    .where('user_id', '=', userId)
    .executeTakeFirst();
  return Number(deletion.numDeletedRows) > 0;
}

/** Ends every sign-in of a user. */
export async function endAllSignIns(trx: Transaction, userId: number): Promise<void> {
  await onEngineTables(trx).deleteFrom('tokens').where('user_id', '=', userId).execute();
  await deleteTrustedDevices(trx, userId);
}

/** Ends every sign-in of a user but one. */
export async function endOtherSignIns(trx: Transaction, userId: number, currentId: number): Promise<void> {
  await onEngineTables(trx).deleteFrom('tokens').where('user_id', '=', userId).where('id', '<>', currentId).execute();
  await deleteTrustedDevices(trx, userId);
}

/** Requires the second step again on all trusted devices. */
async function deleteTrustedDevices(trx: Transaction, userId: number): Promise<void> {
  await onEngineTables(trx).deleteFrom('trusted_devices').where('user_id', '=', userId).execute();
}
