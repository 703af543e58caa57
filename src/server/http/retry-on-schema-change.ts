import type { FastifyInstance } from 'fastify';
import type { Program } from '../program';
import { withStableRegistry } from '../definitions/registry-swap';

declare module 'fastify' {
  interface FastifyContextConfig {
    /** The handler uses more than one transaction, so it must not be retried. */
    once?: boolean;
  }
}

/**
 * Retries the handlers of all routes registered after this call if definitions are published while they run, so that no
 * request fails or mixes two versions of a definition in its response.
 */
export function retryOnSchemaChange(api: FastifyInstance, { definitions }: Pick<Program, 'definitions'>): void {
  api.addHook('onRoute', (route) => {
    if (route.config?.once) return;
    const { handler } = route;
    route.handler = function (request, reply) {
      const isDone = () => reply.sent || reply.raw.headersSent;
      const repeatable = request.method === 'GET' || request.method === 'HEAD';
      return withStableRegistry(definitions, async () => handler.call(this, request, reply), { repeatable, isDone });
    };
  });
}
