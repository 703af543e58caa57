import type { FastifyRequest } from 'fastify';
import type { Actor } from '../../engine/access/actor';
import { accountOfUser, actorOf } from '../domain/accounts';
import { Unauthenticated } from '../http/errors';
import type { Program } from '../program';
import { accessCacheOf, type Access } from './access-cache';
import { useSignIn } from './sign-ins';
import { bearerOf, hashToken } from './token-text';

/** The user of a request's bearer token. Throws Unauthenticated. Costs no query but once a minute for each token. */
export async function authenticate(program: Program, request: Pick<FastifyRequest, 'headers'>): Promise<Actor> {
  return (await accessOf(program, request)).actor;
}

/** As `authenticate`, with the sign-in that the token belongs to. */
export async function accessOf(program: Program, request: Pick<FastifyRequest, 'headers'>): Promise<Access> {
  const token = bearerOf(request.headers.authorization);
  if (!token) throw new Unauthenticated();
  const hash = hashToken(token);
  return accessCacheOf(program.database).get(hash.toString('base64url'), () => load(program, hash));
}

async function load({ database }: Program, hash: Buffer): Promise<Access> {
  const signIn = await useSignIn(database.kysely, hash);
  const account = signIn && (await accountOfUser(database.kysely, signIn.user_id));
  if (!signIn || !account?.mayEnter) throw new Unauthenticated();
  return { actor: await actorOf(database.kysely, account), signInId: signIn.id };
}
