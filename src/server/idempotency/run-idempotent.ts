import { noCompany } from '../sql/company-key';
import { createHash, scrypt } from 'node:crypto';
import { pipeline } from 'node:stream/promises';
import { promisify } from 'node:util';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { sql } from 'kysely';
import { realUser } from '../../engine/access/actor';
import { RequestContext } from '../access/request-context';
import { BadRequest, Conflict, RequestInProgress, Invalid } from '../errors/errors';
import type { Transaction, Database, Queries } from '../database/database';
import type { LiveDefinitions } from '../definitions/live-definitions';
import { RecordJson, responseJson } from '../records/read/read';
import type { Body } from '../records/write/input';
import { Upload } from '../files/upload';
import { transactionDatabase } from '../database/transaction-database';
import { onEngineTables } from '../database/engine-tables';
import type { Program } from '../program';

/**
 * Runs a call, and at most once if it has an `Idempotency-Key`: the same key with the same call returns the first
 * response again. `run` must save everything through the context that it receives, which is one transaction then.
 * Throws BadRequest for an invalid key, Invalid for a key that was used with a different call, and InProgress.
 *
 * @example return runIdempotent(context, request, reply, body, (within) => closeDeal(within, id));
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
 *
 * @example return runIdempotentPrepared(context, request, reply, body, readFiles, (within, read) => storeFiles(within, read));
 */
export async function runIdempotentPrepared<T>(
  context: RequestContext,
  request: FastifyRequest,
  reply: FastifyReply,
  body: Body | undefined,
  prepare: () => Promise<T>,
  run: (context: RequestContext, prepared: T) => Promise<unknown>,
): Promise<unknown> {
  const idempotentRequest = await idempotentRequestOf(context, request, body);
  if (!idempotentRequest) return toReply(reply, await run(context, await prepare()));
  const storedResponse = await findStoredResponse(context.program, idempotentRequest);
  if (storedResponse) return sendStored(reply, storedResponse);
  const prepared = await prepare();
  const answer = await runOnce(context.program, idempotentRequest, async (program) => {
    const runResult = await run(new RequestContext(program, context.actor, context.knownZone), prepared);
    return { status: reply.statusCode, text: responseJson(runResult) };
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
  const idempotentRequest = await idempotentRequestOf(context, request, body);
  if (!idempotentRequest) {
    await change(context);
    return answer();
  }
  const { program, actor, knownZone } = context;
  const runChange = (claim: (trx: Transaction) => Promise<void>) => {
    const definitions: LiveDefinitions = {
      ...program.definitions,
      change: (name, run) =>
        program.definitions.change(name, async (stage) => {
          await claim(stage.trx);
          return run(stage);
        }),
    };
    return change(new RequestContext({ ...program, definitions }, actor, knownZone));
  };
  return sendStored(
    reply,
    await runOnceWithOwnTransaction(program, idempotentRequest, runChange, async () => ({
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
  const { id: person, site_id: company } = realUser(actor);
  return {
    person,
    company: company ?? noCompany,
    key,
    fingerprint: await fingerprintOf(request, body, `${person} ${key}`),
  };
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

const slowHash = promisify<string, string, number, Buffer>(scrypt);
/** Names of values that could be guessed from a fast hash. */
const secretNames = /passw|secret|code|token/i;

/**
 * Hashes a request: its method, URL and whole body, files included. A body with a password is hashed slowly and with
 * `salt`, so that the hash does not reveal the password.
 */
async function fingerprintOf({ method, url }: FastifyRequest, body: Body | undefined, salt: string): Promise<Buffer> {
  const values = Object.entries(body?.values ?? {});
  // Of several files under one name, the values have the last.
  const otherUploads = (body?.uploads ?? []).filter((upload) => !values.some(([, value]) => value === upload));
  const content = await Promise.all([
    ...values.map(async ([name, value]) => [name, await contentOf(value)]),
    ...otherUploads.map(contentOf),
  ]);
  const fingerprintText = JSON.stringify([method, url, body?.text ?? false, content]);
  if (values.some(([name, value]) => secretNames.test(name) && value)) return slowHash(fingerprintText, salt, 32);
  return createHash('sha256').update(fingerprintText).digest();
}

/** A value, or in place of a file its name and a hash of what is in it. */
async function contentOf(value: unknown): Promise<unknown> {
  if (Array.isArray(value) && value.some((part) => part instanceof Upload)) return Promise.all(value.map(contentOf));
  if (!(value instanceof Upload)) return value;
  const hash = createHash('sha256');
  await pipeline(value.open(), hash);
  return { file: value.name, content: hash.digest('base64') };
}

/** A call with an Idempotency-Key. */
export interface IdempotentRequest {
  /** The id of the calling user. */
  readonly person: number;
  /** Their company; 0: none. */
  readonly company: number;
  readonly key: string;
  /** A hash of the request. */
  readonly fingerprint: Buffer;
}

/** A response as sent: its status and JSON. */
export interface StoredResponse {
  readonly status: number;
  readonly text: string;
}

interface StoredEntry {
  readonly fingerprint: Buffer;
  /** Null until the response is known. */
  readonly status: number | null;
  readonly answer: string | null;
}

/** Maximum characters of a stored response. A longer one cannot be replayed, but the call is not run again either. */
const maxStoredLength = 256 * 1024;
/** How long to wait for the same call in this process, in milliseconds. */
const waitTimeout = 5_000;
/** Milliseconds between two cleanups of expired keys, and how many are deleted at once. */
const cleanupInterval = 600_000;
const cleanupBatch = 5_000;
/** PostgreSQL's error code for a lock that was not available in time. */
const LOCKED = '55P03';

const runningCalls = new WeakMap<Database, Map<string, Promise<unknown>>>();
const lastCleanups = new WeakMap<Database, number>();

/**
 * Runs a call once: its changes and its response are stored with its key in one transaction. A failed call stores
 * nothing. The same key again returns the stored response; throws Invalid if it was used with a different call,
 * InProgress while the first call is still running, Conflict if the response was too long to store.
 */
async function runOnce(
  program: Program,
  idempotentRequest: IdempotentRequest,
  run: (program: Program) => Promise<StoredResponse>,
): Promise<StoredResponse & { replayed: boolean }> {
  const { root } = program.database;
  const calls = runningCalls.get(root) ?? new Map<string, Promise<unknown>>();
  runningCalls.set(root, calls);
  const name = `${idempotentRequest.person} ${idempotentRequest.key}`;
  const otherCall = calls.get(name);
  if (otherCall) await waitForCall(otherCall);
  // Several calls may have waited for the same one.
  if (calls.has(name)) throw new RequestInProgress();
  const call = root.transaction((trx) => runWithKey(program, trx, idempotentRequest, run));
  calls.set(name, call);
  try {
    return await call;
  } finally {
    calls.delete(name);
    deleteExpiredKeys(program);
  }
}

/** The stored response of a key; undefined if the key is new or its call is still running. */
async function findStoredResponse(
  program: Program,
  idempotentRequest: IdempotentRequest,
): Promise<(StoredResponse & { replayed: true }) | undefined> {
  const storedEntry = await findEntry(program.database.root.kysely, idempotentRequest);
  return storedEntry && { ...replayResponse(idempotentRequest, storedEntry), replayed: true };
}

/** Aborts the transaction of a call that has already run. */
class AlreadyRun extends Error {}

/**
 * Same, for a change that commits in a transaction of its own and calls `claim` first in it. Its response is stored
 * after the commit: if it is missing later, `answer` is called again.
 */
async function runOnceWithOwnTransaction(
  program: Program,
  idempotentRequest: IdempotentRequest,
  change: (claim: (trx: Transaction) => Promise<void>) => Promise<void>,
  answer: () => Promise<StoredResponse>,
): Promise<StoredResponse & { replayed: boolean }> {
  const { root } = program.database;
  let replayed = false;
  try {
    if (await findEntry(root.kysely, idempotentRequest)) throw new AlreadyRun();
    await change(async (trx) => {
      if (!(await claimKey(trx, idempotentRequest))) throw new AlreadyRun();
    });
  } catch (error) {
    if (!(error instanceof AlreadyRun)) throw error;
    const storedEntry = await findEntry(root.kysely, idempotentRequest);
    if (!storedEntry) throw new RequestInProgress();
    if (!storedEntry.fingerprint.equals(idempotentRequest.fingerprint) || storedEntry.status !== null)
      return { ...replayResponse(idempotentRequest, storedEntry), replayed: true };
    replayed = true;
  } finally {
    deleteExpiredKeys(program);
  }
  const answeredResponse = await answer();
  await storeResponse(root.kysely, idempotentRequest, answeredResponse);
  return { ...answeredResponse, replayed };
}

async function runWithKey(
  program: Program,
  trx: Transaction,
  idempotentRequest: IdempotentRequest,
  run: (program: Program) => Promise<StoredResponse>,
): Promise<StoredResponse & { replayed: boolean }> {
  if (!(await claimKey(trx, idempotentRequest)))
    return { ...(await loadStoredResponse(trx, idempotentRequest)), replayed: true };
  const { live } = program;
  const answer = await run({
    ...program,
    database: transactionDatabase(program.database, trx),
    live: { ...live, publish: (event, inner = trx) => live.publish(event, inner) },
  });
  await storeResponse(trx, idempotentRequest, answer);
  return { ...answer, replayed: false };
}

/**
 * Claims a key. Returns whether it is new. Waits while another transaction holds it, since that one may be rolled back.
 */
async function claimKey(trx: Transaction, { person, company, key, fingerprint }: IdempotentRequest): Promise<boolean> {
  try {
    const { rows } = await sql`insert into assay.idempotency_keys as k (site_id, user_id, key, fingerprint)
      values (${company}, ${person}, ${key}, ${fingerprint})
      on conflict (user_id, key, site_id) do update
        set fingerprint = excluded.fingerprint, status = null, answer = null, created_at = now()
        where k.created_at < now() - interval '24 hours'
      returning true`.execute(trx);
    return rows.length > 0;
  } catch (error) {
    if ((error as { code?: string }).code === LOCKED) throw new RequestInProgress();
    throw error;
  }
}

async function loadStoredResponse(trx: Transaction, idempotentRequest: IdempotentRequest): Promise<StoredResponse> {
  const storedEntry = await findEntry(trx, idempotentRequest);
  // It expired and was deleted in the meantime.
  if (!storedEntry) throw new RequestInProgress();
  return replayResponse(idempotentRequest, storedEntry);
}

async function storeResponse(
  queries: Queries,
  { person, company, key }: IdempotentRequest,
  { status, text }: StoredResponse,
): Promise<void> {
  const keptText = text.length <= maxStoredLength ? text : null;
  await onEngineTables(queries)
    .updateTable('idempotency_keys')
    .set({ status, answer: keptText })
    .where('site_id', '=', company)
    .where('user_id', '=', person)
    .where('key', '=', key)
    .execute();
}

async function findEntry(
  queries: Queries,
  { person, company, key }: IdempotentRequest,
): Promise<StoredEntry | undefined> {
  return onEngineTables(queries)
    .selectFrom('idempotency_keys')
    .select(['fingerprint', 'status', 'answer'])
    .where('site_id', '=', company)
    .where('user_id', '=', person)
    .where('key', '=', key)
    .where('created_at', '>=', sql<string>`now() - interval '24 hours'`)
    .executeTakeFirst();
}

/**
 * Returns the stored response. Throws Invalid if the key was used with a different call, and Conflict if the response
 * is not available.
 */
function replayResponse({ fingerprint }: IdempotentRequest, storedEntry: StoredEntry): StoredResponse {
  if (!storedEntry.fingerprint.equals(fingerprint)) {
    const message = 'This Idempotency-Key was already used with a different request. Use a new key for a new request.';
    throw new Invalid({}, message, 'IDEMPOTENCY_KEY_REUSED');
  }
  if (storedEntry.answer === null || storedEntry.status === null) {
    throw new Conflict(
      'This request has already succeeded, but its response is no longer available. Read the record instead.',
    );
  }
  return { status: storedEntry.status, text: storedEntry.answer };
}

/** Resolves when a call has ended, successfully or not. Throws InProgress if it takes too long. */
async function waitForCall(call: Promise<unknown>): Promise<void> {
  let timer: NodeJS.Timeout | undefined;
  const deadline = new Promise<never>((_, fail) => {
    timer = setTimeout(() => fail(new RequestInProgress()), waitTimeout);
  });
  try {
    await Promise.race([call.catch(() => undefined), deadline]);
  } finally {
    clearTimeout(timer);
  }
}

/** Deletes expired keys from time to time, without delaying the current call. */
function deleteExpiredKeys({ database: { root }, log }: Program): void {
  if ((lastCleanups.get(root) ?? 0) > Date.now() - cleanupInterval) return;
  lastCleanups.set(root, Date.now());
  sql`delete from assay.idempotency_keys where ctid in (
    select ctid from assay.idempotency_keys where created_at < now() - interval '24 hours'
    limit ${cleanupBatch} for update skip locked)`
    .execute(root.kysely)
    .catch((error: Error) => log.warn(`Expired idempotency keys could not be removed: ${error.message}`));
}
