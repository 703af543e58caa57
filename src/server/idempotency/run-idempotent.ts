import type { FastifyReply, FastifyRequest } from 'fastify';
import { realUser } from '../../engine/access/actor';
import { RequestContext } from '../access/request-context';
import { BadRequest } from '../errors/errors';
import type { Transaction } from '../database/database';
import type { LiveDefinitions } from '../definitions/live-definitions';
import { RecordJson, responseJson } from '../records/responses';
import type { Body } from '../records/input';
import {
  findStoredResponse,
  runOnceWithOwnTransaction,
  runOnce,
  type StoredResponse,
  type IdempotentRequest,
} from './stored-responses';
import { fingerprintOf } from './fingerprint';

/**
 * Runs a call, and at most once if it has an `Idempotency-Key`: the same key with the same call returns the first
 * response again. `run` must save everything through the context that it receives, which is one transaction then.
 * Throws BadRequest for an invalid key, Invalid for a key that was used with a different call, and InProgress.
 */
export function runIdempotent(
  context: RequestContext,
  request: FastifyRequest,
  reply: FastifyReply,
  body: Body | undefined,
  run: (context: RequestContext) => Promise<unknown>,
): Promise<unknown> {
  return runIdempotentPrepared(context, request, reply, body, async () => undefined, run);
}

/**
 * Same, with a step before the transaction starts: for what takes long, or is saved even if the call fails, such as the
 * count of wrong passwords. It is skipped if the key was used before.
 */
export async function runIdempotentPrepared<T>(
  context: RequestContext,
  request: FastifyRequest,
  reply: FastifyReply,
  body: Body | undefined,
  prepare: () => Promise<T>,
  run: (context: RequestContext, prepared: T) => Promise<unknown>,
): Promise<unknown> {
  const asked = await idempotentRequestOf(context, request, body);
  if (!asked) return toReply(reply, await run(context, await prepare()));
  const known = await findStoredResponse(context.program, asked);
  if (known) return sendStored(reply, known);
  const prepared = await prepare();
  const answer = await runOnce(context.program, asked, async (program) => {
    const answered = await run(new RequestContext(program, context.actor, context.timeZone), prepared);
    return { status: reply.statusCode, text: responseJson(answered) };
  });
  return sendStored(reply, answer);
}

/**
 * Same for changes of definitions, which have a transaction of their own: the key is stored in it. `answer` returns
 * what is active afterwards.
 */
export async function changeDefinitionsIdempotent(
  context: RequestContext,
  request: FastifyRequest,
  reply: FastifyReply,
  body: Body | undefined,
  change: (context: RequestContext) => Promise<void>,
  answer: () => Promise<unknown>,
): Promise<unknown> {
  const asked = await idempotentRequestOf(context, request, body);
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
  return sendStored(
    reply,
    await runOnceWithOwnTransaction(program, asked, changed, async () => ({
      status: reply.statusCode,
      text: JSON.stringify(await answer()),
    })),
  );
}

/** The key of a call with its fingerprint; undefined without a key. */
async function idempotentRequestOf(
  { actor }: RequestContext,
  request: FastifyRequest,
  body: Body | undefined,
): Promise<IdempotentRequest | undefined> {
  const key = readIdempotencyKey(request);
  if (key === undefined) return undefined;
  const person = realUser(actor).id;
  return { person, key, fingerprint: await fingerprintOf(request, body, `${person} ${key}`) };
}

/** Converts a result to what a handler returns. */
export function toReply(reply: FastifyReply, answer: unknown): unknown {
  if (!(answer instanceof RecordJson)) return answer;
  reply.type('application/json; charset=utf-8');
  return answer.text;
}

function sendStored(reply: FastifyReply, { status, text, replayed }: StoredResponse & { replayed: boolean }): string {
  if (replayed) reply.header('Idempotency-Replayed', 'true');
  reply.code(status).type('application/json; charset=utf-8');
  return text;
}

function readIdempotencyKey({ headers }: FastifyRequest): string | undefined {
  const key = headers['idempotency-key'];
  if (key === undefined) return undefined;
  if (typeof key === 'string' && /^[\x20-\x7e]{1,255}$/.test(key)) return key;
  throw new BadRequest('Idempotency-Key must be 1 to 255 printable ASCII characters.');
}
