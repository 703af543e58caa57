import { sql } from 'kysely';
import type { Database, Queries, Transaction } from '../database/database';
import { databaseWithin } from '../database/within';
import { Conflict, InProgress, Invalid } from '../errors/errors';
import type { Program } from '../program';

/** A call with an Idempotency-Key. */
export interface Asked {
  /** The id of the calling user. */
  readonly person: number;
  readonly key: string;
  /** A hash of the request. */
  readonly fingerprint: Buffer;
}

/** A response as sent: its status and JSON. */
export interface Answer {
  readonly status: number;
  readonly text: string;
}

interface Kept {
  readonly fingerprint: Buffer;
  /** Null until the response is known. */
  readonly status: number | null;
  readonly answer: string | null;
}

/** Maximum characters of a stored response. A longer one cannot be replayed, but the call is not run again either. */
const longestKept = 256 * 1024;
/** How long to wait for the same call in this process, in milliseconds. */
const patience = 5_000;
/** Milliseconds between two cleanups of expired keys, and how many are deleted at once. */
const sweepEvery = 600_000;
const sweptAtOnce = 5_000;
/** PostgreSQL's error code for a lock that was not available in time. */
const LOCKED = '55P03';

const running = new WeakMap<Database, Map<string, Promise<unknown>>>();
const swept = new WeakMap<Database, number>();

/**
 * Runs a call once: its changes and its response are stored with its key in one transaction. A failed call stores
 * nothing. The same key again returns the stored response; throws Invalid if it was used with a different call,
 * InProgress while the first call is still running, Conflict if the response was too long to store.
 */
export async function answeredOnce(
  program: Program,
  asked: Asked,
  run: (program: Program) => Promise<Answer>,
): Promise<Answer & { replayed: boolean }> {
  const { root } = program.database;
  const calls = running.get(root) ?? new Map<string, Promise<unknown>>();
  running.set(root, calls);
  const name = `${asked.person} ${asked.key}`;
  const other = calls.get(name);
  if (other) await settled(other);
  // Several calls may have waited for the same one.
  if (calls.has(name)) throw new InProgress();
  const call = root.transaction((trx) => answeredWithin(program, trx, asked, run));
  calls.set(name, call);
  try {
    return await call;
  } finally {
    calls.delete(name);
    sweep(program);
  }
}

/** The stored response of a key; undefined if the key is new or its call is still running. */
export async function answerBefore(program: Program, asked: Asked): Promise<(Answer & { replayed: true }) | undefined> {
  const kept = await keptOf(program.database.root.kysely, asked);
  return kept && { ...repeated(asked, kept), replayed: true };
}

/** Aborts the transaction of a call that has already run. */
class CarriedOut extends Error {}

/**
 * Same, for a change that commits in a transaction of its own and calls `claim` first in it. Its response is stored
 * after the commit: if it is missing later, `answer` is called again.
 */
export async function answeredAfter(
  program: Program,
  asked: Asked,
  change: (claim: (trx: Transaction) => Promise<void>) => Promise<void>,
  answer: () => Promise<Answer>,
): Promise<Answer & { replayed: boolean }> {
  const { root } = program.database;
  let replayed = false;
  try {
    if (await keptOf(root.kysely, asked)) throw new CarriedOut();
    await change(async (trx) => {
      if (!(await claim(trx, asked))) throw new CarriedOut();
    });
  } catch (error) {
    if (!(error instanceof CarriedOut)) throw error;
    const kept = await keptOf(root.kysely, asked);
    if (!kept) throw new InProgress();
    if (!kept.fingerprint.equals(asked.fingerprint) || kept.status !== null)
      return { ...repeated(asked, kept), replayed: true };
    replayed = true;
  } finally {
    sweep(program);
  }
  const answered = await answer();
  await keep(root.kysely, asked, answered);
  return { ...answered, replayed };
}

async function answeredWithin(
  program: Program,
  trx: Transaction,
  asked: Asked,
  run: (program: Program) => Promise<Answer>,
): Promise<Answer & { replayed: boolean }> {
  if (!(await claim(trx, asked))) return { ...(await keptAnswer(trx, asked)), replayed: true };
  const { live } = program;
  const answer = await run({
    ...program,
    database: databaseWithin(program.database, trx),
    live: { ...live, publish: (event, inner = trx) => live.publish(event, inner) },
  });
  await keep(trx, asked, answer);
  return { ...answer, replayed: false };
}

/**
 * Claims a key. Returns whether it is new. Waits while another transaction holds it, since that one may be rolled back.
 */
async function claim(trx: Transaction, { person, key, fingerprint }: Asked): Promise<boolean> {
  try {
    const { rows } = await sql`insert into assay.idempotency_keys as k (user_id, key, fingerprint)
      values (${person}, ${key}, ${fingerprint})
      on conflict (user_id, key) do update
        set fingerprint = excluded.fingerprint, status = null, answer = null, created_at = now()
        where k.created_at < now() - interval '24 hours'
      returning true`.execute(trx);
    return rows.length > 0;
  } catch (error) {
    if ((error as { code?: string }).code === LOCKED) throw new InProgress();
    throw error;
  }
}

async function keptAnswer(trx: Transaction, asked: Asked): Promise<Answer> {
  const kept = await keptOf(trx, asked);
  // It expired and was deleted in the meantime.
  if (!kept) throw new InProgress();
  return repeated(asked, kept);
}

async function keep(queries: Queries, { person, key }: Asked, { status, text }: Answer): Promise<void> {
  const kept = text.length <= longestKept ? text : null;
  await sql`update assay.idempotency_keys set status = ${status}, answer = ${kept}
    where user_id = ${person} and key = ${key}`.execute(queries);
}

async function keptOf(queries: Queries, { person, key }: Asked): Promise<Kept | undefined> {
  const { rows } = await sql<Kept>`select fingerprint, status, answer from assay.idempotency_keys
    where user_id = ${person} and key = ${key} and created_at >= now() - interval '24 hours'`.execute(queries);
  return rows[0];
}

/**
 * Returns the stored response. Throws Invalid if the key was used with a different call, and Conflict if the response
 * is not available.
 */
function repeated({ fingerprint }: Asked, kept: Kept): Answer {
  if (!kept.fingerprint.equals(fingerprint)) {
    const message = 'This Idempotency-Key was already used with a different request. Use a new key for a new request.';
    throw new Invalid({}, message, 'IDEMPOTENCY_KEY_REUSED');
  }
  if (kept.answer === null || kept.status === null) {
    throw new Conflict(
      'This request has already succeeded, but its response is no longer available. Read the record instead.',
    );
  }
  return { status: kept.status, text: kept.answer };
}

/** Resolves when a call has ended, successfully or not. Throws InProgress if it takes too long. */
async function settled(call: Promise<unknown>): Promise<void> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<never>((_, fail) => {
    timer = setTimeout(() => fail(new InProgress()), patience);
  });
  try {
    await Promise.race([call.catch(() => undefined), late]);
  } finally {
    clearTimeout(timer);
  }
}

/** Deletes expired keys from time to time, without delaying the current call. */
function sweep({ database: { root }, log }: Program): void {
  if ((swept.get(root) ?? 0) > Date.now() - sweepEvery) return;
  swept.set(root, Date.now());
  sql`delete from assay.idempotency_keys where ctid in (
    select ctid from assay.idempotency_keys where created_at < now() - interval '24 hours'
    limit ${sweptAtOnce} for update skip locked)`
    .execute(root.kysely)
    .catch((error: Error) => log.warn(`Expired idempotency keys could not be removed: ${error.message}`));
}
