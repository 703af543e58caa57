import type { FastifyInstance } from 'fastify';
import { readId } from '../../engine/field-types/relation';
import { NotFound } from '../http/errors';
import { contextOf, rangeOf } from '../http/resource-routes';
import type { Program } from '../program';
import { listHistory } from '../records/history';

type OnRecord = { Params: { id: string }; Querystring: Record<string, unknown> };

/** `GET test-case-history/{id}`: another address of a test case's history. */
export function registerTestCaseHistory(app: FastifyInstance, program: Program): void {
  app.get<OnRecord>('/test-case-history/:id', async (request, reply) => {
    const context = await contextOf(program, request);
    const id = readId(request.params.id);
    if (id === undefined) throw new NotFound();
    const page = await listHistory(context, context.registry.need('test-cases'), id, request.query);
    reply.header('Content-Range', rangeOf('history', page));
    return { data: page.records };
  });
}
