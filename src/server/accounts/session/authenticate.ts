import type { FastifyRequest } from 'fastify';
import type { Actor } from '../../../engine/access/actor';
import { findAccountById, createActor } from '../users/accounts';
import { viewedActorOf } from '../view-as/viewing-cache';
import { HttpError, Unauthenticated } from '../../errors/errors';
import type { Program } from '../../program';
import { setRequestUser } from '../../requests/current-request';
import { accessCacheOf, type Access } from './access-cache';
import { recordConfirmation } from './identity-confirmation';
import { findSignIn, useSignIn, type SignIn } from './sign-ins';
import { parseBearerToken, hashTokenText, hashToken } from './tokens';

type Request = Pick<FastifyRequest, 'headers'>;

/**
 * The user of a request's bearer token, or the user that they view as. Throws Unauthenticated, and what `findViewed`
 * throws for users that cannot be viewed as. Runs a query only once a minute per token.
 */
export async function authenticate(program: Program, request: Request): Promise<Actor> {
  const { actor } = await accessOf(program, request);
  return (await viewedActorOf(program, request, actor))?.actor ?? actor;
}

/**
 * The user of a request's bearer token with the sign-in of the token, even while viewing as another user: for personal
 * data. Throws Unauthenticated. Returns cached users synchronously.
 */
export function accessOf(program: Program, request: Request): Access | Promise<Access> {
  const token = parseBearerToken(request.headers.authorization);
  if (token === undefined) throw new Unauthenticated();
  const found = accessCacheOf(program.database).get(hashTokenText(token), async () => {
    const access = await loadAccess(program, await useSignIn(program.database.kysely, hashToken(token)));
    if (!access) throw new Unauthenticated();
    return access;
  });
  return found instanceof Promise ? found.then(recordUser) : recordUser(found);
}

function recordUser(access: Access): Access {
  setRequestUser(access.actor.id, access.actor.site_id);
  return access;
}

/**
 * The current user of a request, or the user that they view as; undefined once the sign-in has ended, or the user can
 * no longer be viewed as. Does not count as use of the sign-in.
 */
export async function currentActor(program: Program, request: Request): Promise<Actor | undefined> {
  const token = parseBearerToken(request.headers.authorization);
  if (token === undefined) return undefined;
  const known = accessCacheOf(program.database).peek(hashTokenText(token));
  const access = known ?? (await loadAccess(program, await findSignIn(program.database.kysely, hashToken(token))));
  if (!access) return undefined;
  try {
    return (await viewedActorOf(program, request, access.actor))?.actor ?? access.actor;
  } catch (error) {
    if (error instanceof HttpError) return undefined;
    throw error;
  }
}

/**
 * Calls `listener` whenever anybody's access may have changed, here or in another process. Returns a function that
 * unsubscribes.
 */
export function onAccessChange(program: Program, listener: () => void): () => void {
  return accessCacheOf(program.database).onChange(listener);
}

async function loadAccess({ database }: Program, signIn: SignIn | undefined): Promise<Access | undefined> {
  const account = signIn && (await findAccountById(database.kysely, signIn.user_id));
  if (!signIn || !account?.canSignIn) return undefined;
  const { id, endsAt, provenAt } = signIn;
  const actor = await createActor(database.kysely, account);
  recordConfirmation(actor, provenAt);
  return { actor, signInId: id, endsAt };
}
