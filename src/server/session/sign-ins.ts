import type { Queries, Transaction } from '../database/database';
import { hashToken, newToken } from './token-text';

/** Milliseconds without use after which a sign-in ends. */
export const lifetime = 12 * 60 * 60 * 1000;
/** Milliseconds for which a use is not written again. */
export const touchEvery = 60_000;

/** A sign-in that has not ended. */
export interface SignIn {
  readonly id: number;
  readonly user_id: number;
}

const tokens = (queries: Queries) => queries.withSchema('assay');
const stillGood = () => new Date(Date.now() - lifetime);

/** Begins a sign-in and answers its token, which is not kept anywhere. */
export async function beginSignIn(queries: Queries, userId: number, agent: string | undefined): Promise<string> {
  const token = newToken();
  const now = new Date();
  await tokens(queries)
    .insertInto('tokens')
    .values({
      user_id: userId,
      hash: hashToken(token),
      created_at: now,
      last_used_at: now,
      agent: agent?.slice(0, 255) ?? null,
    })
    .execute();
  await tokens(queries)
    .deleteFrom('tokens')
    .where('user_id', '=', userId)
    .where('last_used_at', '<=', stillGood())
    .execute();
  return token;
}

/** The sign-in of a token's hash; undefined when there is none or it has ended. */
export async function findSignIn(
  queries: Queries,
  hash: Buffer,
): Promise<(SignIn & { readonly last_used_at: string }) | undefined> {
  return tokens(queries)
    .selectFrom('tokens')
    .select(['id', 'user_id', 'last_used_at'])
    .where('hash', '=', hash)
    .where('last_used_at', '>', stillGood())
    .executeTakeFirst();
}

/** The sign-in of a token's hash, whose use is written; undefined when there is none or it has ended. */
export async function useSignIn(queries: Queries, hash: Buffer): Promise<SignIn | undefined> {
  const found = await findSignIn(queries, hash);
  if (!found) return undefined;
  if (Date.parse(found.last_used_at) <= Date.now() - touchEvery) {
    await tokens(queries).updateTable('tokens').set({ last_used_at: new Date() }).where('id', '=', found.id).execute();
  }
  return found;
}

/** The sign-ins of a user, the latest used first. */
export async function signInsOf(queries: Queries, userId: number) {
  return tokens(queries)
    .selectFrom('tokens')
    .select(['id', 'created_at', 'last_used_at', 'agent'])
    .where('user_id', '=', userId)
    .where('last_used_at', '>', stillGood())
    .orderBy('last_used_at', 'desc')
    .orderBy('id', 'desc')
    .execute();
}

/** Ends one sign-in of a user. Answers whether there was one. */
export async function endSignIn(queries: Queries, userId: number, id: number): Promise<boolean> {
  const ended = await tokens(queries)
    .deleteFrom('tokens')
    .where('id', '=', id)
    .where('user_id', '=', userId)
    .executeTakeFirst();
  return Number(ended.numDeletedRows) > 0;
}

/** Ends every sign-in of a user. */
export async function endSignInsOf(trx: Transaction, userId: number): Promise<void> {
  await tokens(trx).deleteFrom('tokens').where('user_id', '=', userId).execute();
}

/** Ends every sign-in of a user but one. */
export async function endOtherSignIns(trx: Transaction, userId: number, kept: number): Promise<void> {
  await tokens(trx).deleteFrom('tokens').where('user_id', '=', userId).where('id', '<>', kept).execute();
}
