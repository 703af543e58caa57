import type { FastifyReply, FastifyRequest } from 'fastify';
import { personOf } from '../../engine/access/actor';
import { RequestContext } from '../access/request-context';
import { BadRequest } from '../errors/errors';
import type { Transaction } from '../database/database';
import type { LiveDefinitions } from '../program';
import { RecordText, textOf } from '../records/answers';
import type { Body } from '../records/input';
import { answerBefore, answeredAfter, answeredOnce, type Answer, type Asked } from './answered-once';
import { fingerprintOf } from './fingerprint';

/**
 * Runs a call, and at most once if it has an `Idempotency-Key`: the same key with the same call returns the first
 * response again. `run` must save everything through the context that it receives, which is one transaction then.
 * Throws BadRequest for an invalid key, Invalid for a key that was used with a different call, and InProgress.
 */
export function once(
  context: RequestContext,
  request: FastifyRequest,
  reply: FastifyReply,
  body: Body | undefined,
  run: (context: RequestContext) => Promise<unknown>,
): Promise<unknown> {
  return oncePrepared(context, request, reply, body, async () => undefined, run);
}

/**
 * Same, with a step before the transaction starts: for what takes long, or is saved even if the call fails, such as the
 * count of wrong passwords. It is skipped if the key was used before.
 */
export async function oncePrepared<T>(
  context: RequestContext,
  request: FastifyRequest,
  reply: FastifyReply,
  body: Body | undefined,
  prepare: () => Promise<T>,
  run: (context: RequestContext, prepared: T) => Promise<unknown>,
): Promise<unknown> {
  const asked = await askedBy(context, request, body);
  if (!asked) return sendAnswer(reply, await run(context, await prepare()));
  const known = await answerBefore(context.program, asked);
  if (known) return send(reply, known);
  const prepared = await prepare();
  const answer = await answeredOnce(context.program, asked, async (program) => {
    const answered = await run(new RequestContext(program, context.actor, context.timeZone), prepared);
    return { status: reply.statusCode, text: textOf(answered) };
  });
  return send(reply, answer);
}

/**
 * Same for changes of definitions, which have a transaction of their own: the key is stored in it. `answer` returns
 * what is active afterwards.
 */
export async function onceChanged(
  context: RequestContext,
  request: FastifyRequest,
  reply: FastifyReply,
  body: Body | undefined,
  change: (context: RequestContext) => Promise<void>,
  answer: () => Promise<unknown>,
): Promise<unknown> {
  const asked = await askedBy(context, request, body);
  if (!asked) {
    await change(context);
    return answer();
  }
  const { program, actor, timeZone } = context;
  const changed = (claim: (trx: Transaction) => Promise<void>) => {
    const definitions: LiveDefinitions = {
      ...program.definitions,
      change: (name, run) =>
        program.definitions.change(name, async (stage) => {
          await claim(stage.trx);
          return run(stage);
        }),
    };
    return change(new RequestContext({ ...program, definitions }, actor, timeZone));
  };
  return send(
    reply,
    await answeredAfter(program, asked, changed, async () => ({
      status: reply.statusCode,
      text: JSON.stringify(await answer()),
    })),
  );
}

/** The key of a call with its fingerprint; undefined without a key. */
async function askedBy(
  { actor }: RequestContext,
  request: FastifyRequest,
  body: Body | undefined,
): Promise<Asked | undefined> {
  const key = keyOf(request);
  if (key === undefined) return undefined;
  const person = personOf(actor).id;
  return { person, key, fingerprint: await fingerprintOf(request, body, `${person} ${key}`) };
}

/** Converts a result to what a handler returns. */
export function sendAnswer(reply: FastifyReply, answer: unknown): unknown {
  if (!(answer instanceof RecordText)) return answer;
  reply.type('application/json; charset=utf-8');
  return answer.text;
}

function send(reply: FastifyReply, { status, text, replayed }: Answer & { replayed: boolean }): string {
  if (replayed) reply.header('Idempotency-Replayed', 'true');
  reply.code(status).type('application/json; charset=utf-8');
  return text;
}

function keyOf({ headers }: FastifyRequest): string | undefined {
  const key = headers['idempotency-key'];
  if (key === undefined) return undefined;
  if (typeof key === 'string' && /^[\x20-\x7e]{1,255}$/.test(key)) return key;
  throw new BadRequest('Idempotency-Key must be 1 to 255 printable ASCII characters.');
}
