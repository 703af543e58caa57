import type { FastifyInstance, FastifyRequest } from 'fastify';
import { TooMany, Unauthenticated } from '../errors/errors';
import { CallRate } from '../limits/call-rate';
import type { Program } from '../program';
import type { Access } from '../session/access-cache';
import { accessOf } from '../session/authenticate';
import { openBodyLimit } from './sizes';

/**
 * Checks requests before their body is read, on all routes registered after this call: a body from somebody who is not
 * signed in is accepted only on open routes, and only a small one; requests are counted per user.
 */
export function admitCallers(api: FastifyInstance, program: Program): void {
  const rate = new CallRate(program.settings.limits.callsPerMinute);
  api.addHook('onRoute', (route) => {
    if (route.config?.described?.open) route.bodyLimit ??= openBodyLimit;
  });
  api.addHook('onRequest', (request, _reply, done) => {
    const { described } = request.routeOptions.config;
    // Monitoring is never rate-limited.
    if (request.is404 || request.url.startsWith('/api/health')) return done();
    const mustBeKnown = hasBody(request) && !described?.open;
    if (request.headers.authorization === undefined) return done(mustBeKnown ? new Unauthenticated() : undefined);
    const counted = ({ actor }: Access) => {
      const wait = rate.take(actor.id);
      const words = `Too many requests: the limit is ${rate.perMinute} per minute. Please slow down.`;
      done(wait > 0 ? new TooMany(wait, words) : undefined);
    };
    // Routes without a body check authentication themselves.
    const unknown = (error: Error) => done(mustBeKnown ? error : undefined);
    try {
      const access = accessOf(program, request);
      if (access instanceof Promise) access.then(counted, unknown);
      else counted(access);
    } catch (error) {
      unknown(error as Error);
    }
  });
}

/** Whether a request announces a body. */
export function hasBody({ headers }: Pick<FastifyRequest, 'headers'>): boolean {
  return headers['transfer-encoding'] !== undefined || Number(headers['content-length'] ?? 0) > 0;
}
