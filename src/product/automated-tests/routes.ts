import type { FastifyInstance } from 'fastify';
import { requestContextOf } from '../../server/accounts/session/caller-context';
import type { Program } from '../../server/program';
import { typedApi } from '../../server/routing/define-call';
import { writeOnce } from '../write-once';
import { automatedTestCalls } from './calls';
import { findSimilarCases, makeTestCases } from './cases';
import { loadCiResults } from './ci-results';
import { keepTestsApart, mergeTests, undoDecision } from './merge-tests';

/** Calls of automated tests besides reading and changing them: merging renamed ones, results of builds, test cases. */
export function registerAutomatedTests(app: FastifyInstance, program: Program): void {
  const api = typedApi(app);
  const write = writeOnce(program);
  api.post('/match-proposals/:id/merge', automatedTestCalls.merge, (request, reply) =>
    write(request, reply, (context) => mergeTests(context, request.params.id)),
  );
  api.post('/match-proposals/:id/keep-apart', automatedTestCalls.keepApart, (request, reply) =>
    write(request, reply, (context) => keepTestsApart(context, request.params.id)),
  );
  api.get('/test-runs/:id/ci-results', automatedTestCalls.ciResults, async (request) => ({
    data: (await loadCiResults(await requestContextOf(program, request), request.params.id)) as never,
  }));
  api.get('/automated-tests/:id/similar-cases', automatedTestCalls.similarCases, async (request) => {
    const context = await requestContextOf(program, request);
    return { data: await findSimilarCases(context, request.params.id, request.query.q) };
  });
  api.post('/automated-tests/test-cases', automatedTestCalls.makeCases, (request, reply) =>
    write(request, reply, (context) => makeTestCases(context, request.body.tests)),
  );
  api.post('/match-proposals/:id/undo', automatedTestCalls.undo, (request, reply) =>
    write(request, reply, (context) => undoDecision(context, request.params.id)),
  );
}
