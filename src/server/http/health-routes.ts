import { Type } from 'typebox';
import type { FastifyInstance } from 'fastify';
import { defineCall } from '../routing/define-call';
import type { Program } from '../program';

const healthCalls = [
  ['', 'health', 'Whether requests can be served: 200, or 503 with the reason'],
  ['/live', 'health-live', 'Whether the process is alive: 200 as long as it responds'],
  ['/ready', 'health-ready', 'Whether requests can be served, with the state of each part: 200 or 503'],
] as const;

const checksSchema = Type.Object({ program: Type.String(), definitions: Type.String(), database: Type.String() });

/** `GET health`, `health/live`, `health/ready`, for requests that the listening server has not already answered. */
export function registerHealthRoutes(api: FastifyInstance, { health }: Pick<Program, 'health'>): void {
  for (const [path, id, summary] of healthCalls) {
    const answer = Type.Object({ status: Type.String(), ...(path === '/ready' && { checks: checksSchema }) });
    const call = defineCall({ id, tag: 'Health', summary, scope: 'public', answer });
    api.get(`/health${path}`, call, async (_request, reply) => {
      const { status, body } = await health.respond(`/api/health${path}`)!;
      return reply.code(status).send(body);
    });
  }
}
