import type { FastifyInstance } from 'fastify';
import { isGranted } from '../engine/access/access-decision';
import { parseId } from '../engine/field-types/relation';
import { NotFound } from '../server/errors/errors';
import { describeCall } from '../server/routing/call-description';
import { contentRange } from '../server/routing/content-range';
import { requestContextOf } from '../server/accounts/session/caller-context';
import type { Program } from '../server/program';
import { listHistory } from '../server/records/history';

type OnRecord = { Params: { id: string }; Querystring: Record<string, unknown> };

const historyCall = describeCall({
  id: 'test-case-history',
  tag: 'Test Cases',
  summary: 'List the changes of a test case',
  shownTo: (actor) => isGranted(actor, 'test-cases', 'view'),
  answer: { $ref: '#/components/schemas/History' },
});

/** `GET test-case-history/{id}`: another address of a test case's history. */
export function registerTestCaseHistory(app: FastifyInstance, program: Program): void {
  app.get<OnRecord>('/test-case-history/:id', historyCall, async (request, reply) => {
    const context = await requestContextOf(program, request);
    const id = parseId(request.params.id);
    if (id === undefined) throw new NotFound();
    const page = await listHistory(context, context.registry.getOrThrow('test-cases'), id, request.query);
    reply.header('Content-Range', contentRange('history', page));
    return { data: page.records };
  });
}
