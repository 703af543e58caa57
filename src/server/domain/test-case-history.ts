import type { FastifyInstance } from 'fastify';
import { isGranted } from '../../engine/access/decide';
import { readId } from '../../engine/field-types/relation';
import { NotFound } from '../errors/errors';
import { described } from '../http/described';
import { contextOf, rangeOf } from '../http/resource-routes';
import type { Program } from '../program';
import { listHistory } from '../records/history';

type OnRecord = { Params: { id: string }; Querystring: Record<string, unknown> };

const historyCall = described({
  id: 'test-case-history',
  tag: 'Test Cases',
  summary: 'List the changes of a test case',
  shownTo: (actor) => isGranted(actor, 'test-cases', 'view'),
  answer: { $ref: '#/components/schemas/History' },
});

/** `GET test-case-history/{id}`: another address of a test case's history. */
export function registerTestCaseHistory(app: FastifyInstance, program: Program): void {
  app.get<OnRecord>('/test-case-history/:id', historyCall, async (request, reply) => {
    const context = await contextOf(program, request);
    const id = readId(request.params.id);
    if (id === undefined) throw new NotFound();
    const page = await listHistory(context, context.registry.need('test-cases'), id, request.query);
    reply.header('Content-Range', rangeOf('history', page));
    return { data: page.records };
  });
}
