import type { FastifyInstance, FastifyRequest } from 'fastify';
import { TooManyRequests, Unauthenticated } from '../errors/errors';
import { RateLimiter } from '../limits/rate-limiter';
import type { Program } from '../program';
import type { Access } from '../accounts/session/access-cache';
import { accessOf } from '../accounts/session/authenticate';
import { maxPublicBodySize } from '../limits/size-limits';

/**
 * Checks requests before their body is read, on all routes registered after this call: a body from somebody who is not
 * signed in is accepted only on open routes, and only a small one; requests are counted per user.
 */
export function checkCallersBeforeBody(api: FastifyInstance, program: Program): void {
  const rate = new RateLimiter(program.settings.limits.callsPerMinute);
  api.addHook('onRoute', (route) => {
    if (route.config?.described?.isPublic) route.bodyLimit ??= maxPublicBodySize;
  });
  api.addHook('onRequest', (request, _reply, done) => {
    const { described } = request.routeOptions.config;
    // Monitoring is never rate-limited.
    if (request.is404 || request.url.startsWith('/api/health')) return done();
    const requiresSignIn = hasBody(request) && !described?.isPublic;
    if (request.headers.authorization === undefined) return done(requiresSignIn ? new Unauthenticated() : undefined);
    const countCall = ({ actor }: Access) => {
      const wait = rate.take(actor.id);
      const message = `Too many requests: the limit is ${rate.perMinute} per minute. Please slow down.`;
      done(wait > 0 ? new TooManyRequests(wait, message) : undefined);
    };
    // Routes without a body check authentication themselves.
    const rejectUnknown = (error: Error) => done(requiresSignIn ? error : undefined);
    try {
      const access = accessOf(program, request);
      if (access instanceof Promise) access.then(countCall, rejectUnknown);
      else countCall(access);
    } catch (error) {
      rejectUnknown(error as Error);
    }
  });
}

/** Whether a request announces a body. */
export function hasBody({ headers }: Pick<FastifyRequest, 'headers'>): boolean {
  return headers['transfer-encoding'] !== undefined || Number(headers['content-length'] ?? 0) > 0;
}
