import type { FastifyRequest } from 'fastify';
import type { Actor } from '../../../engine/access/actor';
import { isUnconfirmedCompany } from '../companies/unconfirmed';
import { findAccountById, createActor } from '../users/accounts';
import { viewAsHeader } from '../view-as/view-as-header';
import { viewedActorOf } from '../view-as/viewing-cache';
import { Forbidden, HttpError, Unauthenticated } from '../../errors/errors';
import type { Program } from '../../program';
import { setRequestUser } from '../../requests/current-request';
import { findServiceToken, useServiceToken } from '../service-accounts/service-users';
import { accessCacheOf, isSignedIn, type Access, type SignedIn } from './access-cache';
import { recordProof } from './identity-proof';
import { findSignIn, useSignIn } from './sign-ins';
import { serviceTokenPrefix, parseBearerToken, hashTokenText, hashToken } from './tokens';

type Request = Pick<FastifyRequest, 'headers'>;

/**
 * The caller of a request: the user or service account of its bearer token, or the user that they view as. Throws
 * Unauthenticated, and what `findViewed` throws for users that cannot be viewed as. Runs a query only once a minute per
 * token.
 */
export async function authenticate(program: Program, request: Request): Promise<Actor> {
  return effectiveActor(program, request, await callerOf(program, request));
}

/**
 * The user of a request's bearer token with the sign-in of the token, even while viewing as another user: for personal
 * data. Throws Unauthenticated, and Forbidden for service accounts, which have none. Returns cached users synchronously.
 */
export function accessOf(program: Program, request: Request): SignedIn | Promise<SignedIn> {
  const access = callerOf(program, request);
  return access instanceof Promise ? access.then(assertPerson) : assertPerson(access);
}

/** The access of a user. Throws Forbidden for service accounts. */
export function assertPerson(access: Access): SignedIn {
  if (isSignedIn(access)) return access;
  throw new Forbidden('Service accounts have no profile, sign-ins, notifications or settings of their own.');
}

/** As `accessOf`, for service accounts too. */
export function callerOf(program: Program, request: Request): Access | Promise<Access> {
  const token = parseBearerToken(request.headers.authorization);
  if (token === undefined) throw new Unauthenticated();
  const cachedAccess = accessCacheOf(program.database).get(hashTokenText(token), async () => {
    const access = await loadAccess(program, token, { use: true });
    if (!access) throw new Unauthenticated();
    return access;
  });
  return cachedAccess instanceof Promise ? cachedAccess.then(recordUser) : recordUser(cachedAccess);
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
  const cachedAccess = accessCacheOf(program.database).peek(hashTokenText(token));
  const access = cachedAccess ?? (await loadAccess(program, token, { use: false }));
  if (!access) return undefined;
  try {
    return await effectiveActor(program, request, access);
  } catch (error) {
    if (error instanceof HttpError) return undefined;
    throw error;
  }
}

async function effectiveActor(program: Program, request: Request, access: Access): Promise<Actor> {
  if (!isSignedIn(access) && request.headers[viewAsHeader] !== undefined)
    throw new Forbidden('Service accounts cannot view as other users.');
  return (await viewedActorOf(program, request, access.actor))?.actor ?? access.actor;
}

/**
 * Calls `listener` whenever anybody's access may have changed, here or in another process. Returns a function that
 * unsubscribes.
 */
export function onAccessChange(program: Program, listener: () => void): () => void {
  return accessCacheOf(program.database).onChange(listener);
}

async function loadAccess(
  { database }: Program,
  token: string,
  { use }: { use: boolean },
): Promise<Access | undefined> {
  const { kysely } = database;
  if (token.startsWith(serviceTokenPrefix)) {
    const service = await (use ? useServiceToken : findServiceToken)(kysely, token);
    if (!service) return undefined;
    const { actor, endsAt } = service;
    return { actor, endsAt, isUnconfirmed: await isUnconfirmedCompany(kysely, actor.site_id) };
  }
  const signIn = await (use ? useSignIn : findSignIn)(kysely, hashToken(token));
  const account = signIn && (await findAccountById(kysely, signIn.user_id));
  if (!signIn || !account?.canSignIn) return undefined;
  const { id, endsAt, provenAt } = signIn;
  const actor = await createActor(kysely, account);
  recordProof(actor, provenAt);
  return { actor, signInId: id, endsAt, isUnconfirmed: await isUnconfirmedCompany(kysely, actor.site_id) };
}
