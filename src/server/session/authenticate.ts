import type { FastifyRequest } from 'fastify';
import type { Actor } from '../../engine/access/actor';
import { accountOfUser, actorOf } from '../domain/accounts';
import { viewedBy } from '../domain/view-as/viewing';
import { HttpError, Unauthenticated } from '../errors/errors';
import type { Program } from '../program';
import { noteUser } from '../requests/current-request';
import { accessCacheOf, type Access } from './access-cache';
import { rememberProof } from './proof';
import { findSignIn, useSignIn, type SignIn } from './sign-ins';
import { bearerOf, hashedText, hashToken } from './token-text';

type Request = Pick<FastifyRequest, 'headers'>;

/**
 * The user of a request's bearer token, or whom they view as. Throws Unauthenticated, and for whom nobody may be viewed
 * as what `findViewed` does. Costs no query but once a minute for each token.
 */
export async function authenticate(program: Program, request: Request): Promise<Actor> {
  const { actor } = await accessOf(program, request);
  return (await viewedBy(program, request, actor))?.actor ?? actor;
}

/**
 * The user of a request's bearer token with the sign-in that the token belongs to, whomever they view as: for what is
 * personal. Throws Unauthenticated. Who is remembered is answered at once.
 */
export function accessOf(program: Program, request: Request): Access | Promise<Access> {
  const token = bearerOf(request.headers.authorization);
  if (token === undefined) throw new Unauthenticated();
  const found = accessCacheOf(program.database).get(hashedText(token), async () => {
    const access = await load(program, await useSignIn(program.database.kysely, hashToken(token)));
    if (!access) throw new Unauthenticated();
    return access;
  });
  return found instanceof Promise ? found.then(noted) : noted(found);
}

function noted(access: Access): Access {
  noteUser(access.actor.id, access.actor.site_id);
  return access;
}

/**
 * Who the user of a request is by now, or whom they view as; undefined once the sign-in has ended, or nobody may be
 * viewed as that any more. Does not count as a use of it.
 */
export async function standing(program: Program, request: Request): Promise<Actor | undefined> {
  const token = bearerOf(request.headers.authorization);
  if (token === undefined) return undefined;
  const known = accessCacheOf(program.database).peek(hashedText(token));
  const access = known ?? (await load(program, await findSignIn(program.database.kysely, hashToken(token))));
  if (!access) return undefined;
  try {
    return (await viewedBy(program, request, access.actor))?.actor ?? access.actor;
  } catch (error) {
    if (error instanceof HttpError) return undefined;
    throw error;
  }
}

/** Calls whenever somebody's access may have changed, here or in another process. Answers how to stop listening. */
export function onAccessChange(program: Program, listener: () => void): () => void {
  return accessCacheOf(program.database).onChange(listener);
}

async function load({ database }: Program, signIn: SignIn | undefined): Promise<Access | undefined> {
  const account = signIn && (await accountOfUser(database.kysely, signIn.user_id));
  if (!signIn || !account?.mayEnter) return undefined;
  const { id, endsAt, provenAt } = signIn;
  const actor = await actorOf(database.kysely, account);
  rememberProof(actor, provenAt);
  return { actor, signInId: id, endsAt };
}
