import type { FastifyInstance } from 'fastify';
import type { Program } from '../program';
import { underDefinitions } from '../definitions/turnover';

declare module 'fastify' {
  interface FastifyContextConfig {
    /** Stores in more than one transaction, so that it must not be run again. */
    once?: boolean;
  }
}

/**
 * Lets no call fail, or mix two versions of a definition in its answer, because definitions are published meanwhile:
 * routes that are registered from now on are run again where that happens.
 */
export function keepVersionsApart(api: FastifyInstance, { definitions }: Pick<Program, 'definitions'>): void {
  api.addHook('onRoute', (route) => {
    if (route.config?.once) return;
    const { handler } = route;
    route.handler = function (request, reply) {
      const isDone = () => reply.sent || reply.raw.headersSent;
      const repeatable = request.method === 'GET' || request.method === 'HEAD';
      return underDefinitions(definitions, async () => handler.call(this, request, reply), { repeatable, isDone });
    };
  });
}
