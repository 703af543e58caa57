import type { FastifyInstance } from 'fastify';
import { described } from '../http/described';
import { object, text } from '../http/schemas';
import type { Program } from '../program';

const calls = [
  ['', 'health', 'Whether requests can be served: 200, or 503 with the reason'],
  ['/live', 'health-live', 'Whether the process is alive: 200 as long as it responds'],
  ['/ready', 'health-ready', 'Whether requests can be served, with the state of each part: 200 or 503'],
] as const;

const parts = object({ program: text, definitions: text, database: text });

/** `GET health`, `health/live`, `health/ready`, for requests that the listening server has not already answered. */
export function registerHealth(api: FastifyInstance, { health }: Pick<Program, 'health'>): void {
  for (const [path, id, summary] of calls) {
    const answer = object({ status: text, ...(path === '/ready' && { checks: parts }) });
    const call = described({ id, tag: 'Health', summary, open: true, answer });
    api.get(`/health${path}`, call, async (_request, reply) => {
      const { status, body } = await health.answer(`/api/health${path}`)!;
      return reply.code(status).send(body);
    });
  }
}
