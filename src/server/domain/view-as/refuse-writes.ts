import type { FastifyInstance } from 'fastify';
import { Refused } from '../../errors/errors';
import { swallow } from '../../http/swallow';
import type { Program } from '../../program';
import { accessOf } from '../../session/authenticate';
import { viewAsHeader } from './header';
import { viewedBy } from './viewing';

const reading = new Set(['GET', 'HEAD', 'OPTIONS']);

/**
 * Refuses every request that is not read-only while viewing as another user, before its body is read: on all routes
 * except those with `whileViewing`.
 */
export function refuseWritesWhileViewing(api: FastifyInstance, program: Program): void {
  api.addHook('onRequest', async (request) => {
    if (request.headers[viewAsHeader] === undefined || reading.has(request.method)) return;
    if (request.routeOptions.config.described?.whileViewing) return;
    try {
      const { actor } = await accessOf(program, request);
      const viewed = await viewedBy(program, request, actor);
      throw new Refused(`You are viewing as ${viewed?.name}, so nothing can be saved. Stop viewing first.`);
    } finally {
      await swallow(request.raw);
    }
  });
}
