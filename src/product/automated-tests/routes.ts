import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import type { RequestContext } from '../../server/access/request-context';
import { requestContextOf } from '../../server/accounts/session/caller-context';
import { runIdempotent } from '../../server/idempotency/run-idempotent';
import type { Program } from '../../server/program';
import { typed } from '../../server/routing/define-call';
import { automatedTestCalls } from './calls';
import { keepTestsApart, mergeTests, undoDecision } from './merge-tests';

/** What is done with automated tests besides reading and changing them: merging renamed ones. */
export function registerAutomatedTests(app: FastifyInstance, program: Program): void {
  const api = typed(app);
  /** Answers what a write returns; a request that is sent again with its key is not done again. */
  const write = async (
    request: FastifyRequest,
    reply: FastifyReply,
    run: (context: RequestContext) => Promise<unknown>,
  ) => {
    const body = { values: (request.body ?? {}) as Readonly<Record<string, unknown>>, text: false };
    const answer = async (context: RequestContext) => ({ data: await run(context) });
    return (await runIdempotent(await requestContextOf(program, request), request, reply, body, answer)) as never;
  };
  api.post('/match-proposals/:id/merge', automatedTestCalls.merge, (request, reply) =>
    write(request, reply, (context) => mergeTests(context, request.params.id)),
  );
  api.post('/match-proposals/:id/keep-apart', automatedTestCalls.keepApart, (request, reply) =>
    write(request, reply, (context) => keepTestsApart(context, request.params.id)),
  );
  api.post('/match-proposals/:id/undo', automatedTestCalls.undo, (request, reply) =>
    write(request, reply, (context) => undoDecision(context, request.params.id)),
  );
}
