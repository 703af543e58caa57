import { Type } from 'typebox';
import type { FastifyInstance } from 'fastify';
import { defineCall, idParams, rangeParameter, typedApi } from '../server/routing/define-call';
import { contentRange } from '../server/routing/content-range';
import { requestContextOf } from '../server/accounts/session/caller-context';
import type { Program } from '../server/program';
import { listHistory } from '../server/records/history/history';

const historyCall = defineCall({
  id: 'test-case-history',
  tag: 'Test Cases',
  summary: 'List the changes of a test case',
  params: idParams,
  querystring: Type.Object({
    range: rangeParameter,
    names: Type.Optional(Type.String({ description: '1: adds the titles of the records that the values refer to.' })),
  }),
  grant: { resource: 'test-cases', action: 'view' },
  answer: Type.Ref('#/components/schemas/History'),
});

/** `GET test-case-history/{id}`: another address of a test case's history. */
export function registerTestCaseHistory(app: FastifyInstance, program: Program): void {
  typedApi(app).get('/test-case-history/:id', historyCall, async (request, reply) => {
    const context = await requestContextOf(program, request);
    const page = await listHistory(
      { context, definition: context.registry.getOrThrow('test-cases') },
      request.params.id,
      request.query,
    );
    reply.header('Content-Range', contentRange('history', page));
    return { data: page.records };
  });
}
