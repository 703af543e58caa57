import type { FastifyRequest } from 'fastify';
import type { Actor } from '../../engine/access/actor';
import { accountOfUser, actorOf } from '../domain/accounts';
import type { Program } from '../program';
import { findSignIn } from './sign-ins';
import { bearerOf, hashToken } from './token-text';

/**
 * The user of a request's bearer token as of now, read anew; undefined once the sign-in has ended. Unlike
 * `authenticate` it does not count as a use, so that a stream left open keeps nobody signed in.
 */
export async function standingOf(
  { database }: Program,
  request: Pick<FastifyRequest, 'headers'>,
): Promise<Actor | undefined> {
  const token = bearerOf(request.headers.authorization);
  const signIn = token && (await findSignIn(database.kysely, hashToken(token)));
  const account = signIn ? await accountOfUser(database.kysely, signIn.user_id) : undefined;
  return account?.mayEnter ? actorOf(database.kysely, account) : undefined;
}
