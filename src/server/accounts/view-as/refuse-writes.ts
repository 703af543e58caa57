import type { FastifyInstance } from 'fastify';
import { Forbidden } from '../../errors/errors';
import { drainRequest } from '../../routing/drain-request';
import type { Program } from '../../program';
import { accessOf } from '../session/authenticate';
import { viewAsHeader } from './view-as-header';
import { viewedActorOf } from './viewing-cache';

const reading = new Set(['GET', 'HEAD', 'OPTIONS']);

/**
 * Refuses every request that is not read-only while viewing as another user, before its body is read: on all routes
 * except those with `whileViewing`.
 */
export function refuseWritesWhileViewing(api: FastifyInstance, program: Program): void {
  api.addHook('onRequest', async (request) => {
    if (request.headers[viewAsHeader] === undefined || reading.has(request.method)) return;
    if (request.routeOptions.config.described?.allowedWhileViewing) return;
    try {
      const { actor } = await accessOf(program, request);
      const viewedActor = await viewedActorOf(program, request, actor);
      throw new Forbidden(`You are viewing as ${viewedActor?.name}, so nothing can be saved. Stop viewing first.`);
    } finally {
      await drainRequest(request.raw);
    }
  });
}
