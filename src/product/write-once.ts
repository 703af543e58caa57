import type { FastifyReply, FastifyRequest } from 'fastify';
import type { RequestContext } from '../server/access/request-context';
import { requestContextOf } from '../server/accounts/session/caller-context';
import { runIdempotent } from '../server/idempotency/run-idempotent';
import type { Program } from '../server/program';

/** A handler of a call that writes: answers what `run` returns; a request that is sent again with its key is not done again. */
export function writeOnce(program: Program) {
  return async (
    request: FastifyRequest,
    reply: FastifyReply,
    run: (context: RequestContext) => Promise<unknown>,
  ): Promise<never> => {
    const body = { values: (request.body ?? {}) as Readonly<Record<string, unknown>>, text: false };
    const answer = async (context: RequestContext) => ({ data: await run(context) });
    return (await runIdempotent(await requestContextOf(program, request), request, reply, body, answer)) as never;
  };
}
