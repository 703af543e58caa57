import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import type { RequestContext } from '../../server/access/request-context';
import { requestContextOf } from '../../server/accounts/session/caller-context';
import { runIdempotent } from '../../server/idempotency/run-idempotent';
import type { Program } from '../../server/program';
import { typed } from '../../server/routing/define-call';
import { addMatchingTests, addTestsToRun, countMatchingTests } from './add-tests';
import { assignTestsOfRun } from './assign-tests';
import { runCalls } from './calls';
import { copyRun } from './copy-run';
import { checkGate, parseGateCondition } from './gate';
import { recordResult } from './record-result';
import { compareVersion, takeVersion } from './take-version';

/** What is done with test runs besides reading and changing them: adding tests, assigning, results, copies, the gate. */
export function registerTestRuns(app: FastifyInstance, program: Program): void {
  const api = typed(app);
  const contextOf = (request: FastifyRequest) => requestContextOf(program, request);
  /** Answers what a write returns; a request that is sent again with its key is not done again. */
  const write = async (
    request: FastifyRequest,
    reply: FastifyReply,
    run: (context: RequestContext) => Promise<unknown>,
  ) => {
    const body = { values: (request.body ?? {}) as Readonly<Record<string, unknown>>, text: false };
    const answer = async (context: RequestContext) => ({ data: await run(context) });
    return (await runIdempotent(await contextOf(request), request, reply, body, answer)) as never;
  };

  api.post('/test-runs/:id/tests', runCalls.addTests, (request, reply) =>
    write(request, reply, (context) => addTestsToRun(context, request.params.id, request.body)),
  );
  api.get('/test-runs/:id/matching', runCalls.matching, async (request) => ({
    data: await countMatchingTests(await contextOf(request), request.params.id),
  }));
  api.post('/test-runs/:id/matching', runCalls.addMatching, (request, reply) =>
    write(request, reply, (context) => addMatchingTests(context, request.params.id)),
  );
  api.post('/test-runs/:id/assign', runCalls.assign, (request, reply) =>
    write(request, reply, (context) => assignTestsOfRun(context, request.params.id, request.body)),
  );
  api.post('/test-runs/:id/copy', runCalls.copy, (request, reply) => {
    reply.code(201);
    return write(request, reply, (context) => copyRun(context, request.params.id, request.body));
  });
  api.get('/test-runs/:id/gate', runCalls.gate, async (request) => {
    const condition = parseGateCondition(request.query.condition);
    return { data: await checkGate(await contextOf(request), request.params.id, condition) };
  });
  api.put('/run-entries/:id/result', runCalls.result, (request, reply) =>
    write(request, reply, (context) => recordResult(context, request.params.id, request.body)),
  );
  api.get('/run-entries/:id/version', runCalls.compareVersion, async (request) => ({
    data: await compareVersion(await contextOf(request), request.params.id),
  }));
  api.post('/run-entries/:id/version', runCalls.takeVersion, (request, reply) =>
    write(request, reply, (context) => takeVersion(context, request.params.id)),
  );
}
