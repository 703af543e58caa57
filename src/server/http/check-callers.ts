import type { FastifyInstance, FastifyRequest } from 'fastify';
import type { Actor } from '../../engine/access/actor';
import { assertGranted } from '../access/access-filter';
import { Forbidden, TooManyRequests, Unauthenticated } from '../errors/errors';
import type { FairShares } from '../limits/fair-shares';
import { RateLimiter } from '../limits/rate-limiter';
import type { Program } from '../program';
import { countWork } from '../requests/work-time';
import type { Access } from '../accounts/session/access-cache';
import { assertPerson, callerOf } from '../accounts/session/authenticate';
import { requestContextOf } from '../accounts/session/caller-context';
import { maxPublicBodySize } from '../limits/size-limits';
import type { CallDescription } from '../routing/call-description';
import { shareKeyOf } from '../overload/fair-turns';
import { hasScope } from '../routing/call-scope';
import { hasBody } from '../routing/read-body';

/**
 * Checks requests before their body is read, on all routes registered after this call: a body from somebody who is not
 * signed in is accepted only on open routes, and only a small one; requests are counted per user, and the work that they
 * cause too.
 */
export function checkCallersBeforeBody(api: FastifyInstance, program: Program, shares: FairShares): void {
  const rate = new RateLimiter(program.settings.limits.callsPerMinute);
  api.addHook('onRoute', (route) => {
    if (route.config?.described?.scope === 'public') route.bodyLimit ??= maxPublicBodySize;
  });
  api.addHook('onRequest', (request, _reply, next) => {
    const { described: description } = request.routeOptions.config;
    // Monitoring is never rate-limited.
    if (request.is404 || request.url.startsWith('/api/health')) return next();
    const requiresSignIn = hasBody(request) && description?.scope !== 'public';

    const countCall = (access: Access) => {
      const { actor, isUnconfirmed } = access;
      request.sender = { key: actor.id, isUnconfirmed };
      if (request.current) request.current.account = shares.accountOf(shareKeyOf(access));
      countWork(request.current?.account);
      const wait = rate.take(actor.id);
      const message = `Too many requests: the limit is ${rate.perMinute} per minute. Please slow down.`;
      next(wait > 0 ? new TooManyRequests(wait, message) : undefined);
    };
    // Routes without a body check authentication themselves.
    const rejectUnknown = (error: Error) => next(requiresSignIn ? error : undefined);
    if (request.headers.authorization === undefined) return rejectUnknown(new Unauthenticated());
    let access: Access | Promise<Access>;
    try {
      access = callerOf(program, request);
    } catch (error) {
      return rejectUnknown(error as Error);
    }
    if (access instanceof Promise) access.then(countCall, rejectUnknown);
    else countCall(access);
  });
}

/**
 * Checks who calls before what was sent is validated, on all declared calls registered after this call, so that nobody
 * learns the shape of a call that they may not make.
 */
export function checkCallersBeforeValidation(api: FastifyInstance, program: Program): void {
  api.addHook('onRoute', (route) => {
    const { described: description } = route.config ?? {};
    if (!route.schema || !description || description.scope === 'public') return;
    const check = (request: FastifyRequest) => checkCaller(program, description, request);
    route.preValidation = [check, ...[route.preValidation ?? []].flat()];
  });
}

/**
 * Throws Unauthenticated, and Forbidden for users for whom a call with a `refusal` or a `grant` is not, and for service
 * accounts that its `scope` excludes.
 */
async function checkCaller(program: Program, call: CallDescription, request: FastifyRequest): Promise<void> {
  const access = await callerOf(program, request);
  const { grant, refusal, scope, shownTo } = call;
  if (scope === 'person') assertPerson(access);
  if (access.actor.beyondScopes) assertInScopes(access.actor, call, request.params as Record<string, string>);
  if (refusal === undefined && !grant) return;
  const context = await requestContextOf(program, request);
  const { actor, registry } = context;
  if (grant) assertGranted(context, registry.getOrThrow(grant.resource), grant.action);
  if (refusal !== undefined && shownTo?.(actor, registry) === false) throw new Forbidden(refusal);
}

/** Throws Forbidden if a service account that is limited to scopes has none for a call; a grant is checked as anybody's. */
function assertInScopes(actor: Actor, { grant, scope }: CallDescription, params: Record<string, string>): void {
  if (grant || (Array.isArray(scope) && hasScope(actor, scope, params))) return;
  const limitedMessage = 'This service account is limited to its scopes, and this call belongs to none of them';
  throw new Forbidden(
    Array.isArray(scope) ? `${limitedMessage}: it needs ${scope.join(' or ')}.` : `${limitedMessage}.`,
  );
}
