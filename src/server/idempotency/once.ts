import type { FastifyReply, FastifyRequest } from 'fastify';
import { personOf } from '../../engine/access/actor';
import { RequestContext } from '../access/request-context';
import { BadRequest } from '../errors/errors';
import type { Body } from '../records/input';
import { answeredOnce } from './answered-once';
import { fingerprintOf } from './fingerprint';

/**
 * Carries a call out, and where it has an `Idempotency-Key` at most once: the same key with the same call answers what the
 * first one answered. `run` stores everything through the context that it is given, which is one transaction then.
 * Throws BadRequest for a key that is none, Invalid for one that came with another call, and InProgress.
 */
export async function once(
  context: RequestContext,
  request: FastifyRequest,
  reply: FastifyReply,
  body: Body | undefined,
  run: (context: RequestContext) => Promise<unknown>,
): Promise<unknown> {
  const key = keyOf(request);
  if (key === undefined) return run(context);
  const person = personOf(context.actor).id;
  const fingerprint = await fingerprintOf(request, body);
  const answer = await answeredOnce(context.program, { person, key, fingerprint }, async (program) => {
    const answered = await run(new RequestContext(program, context.actor, context.timeZone));
    return { status: reply.statusCode, text: JSON.stringify(answered) };
  });
  if (answer.replayed) reply.header('Idempotency-Replayed', 'true');
  reply.code(answer.status).type('application/json; charset=utf-8');
  return answer.text;
}

function keyOf({ headers }: FastifyRequest): string | undefined {
  const key = headers['idempotency-key'];
  if (key === undefined) return undefined;
  if (typeof key === 'string' && /^[\x20-\x7e]{1,255}$/.test(key)) return key;
  throw new BadRequest('Idempotency-Key must be 1 to 255 printable ASCII characters.');
}
