import { sql } from 'kysely';
import type { Database, Queries, Transaction } from '../database/database';
import { databaseWithin } from '../database/within';
import { Conflict, InProgress, Invalid } from '../errors/errors';
import type { Program } from '../program';

/** A call that may be repeated. */
export interface Asked {
  /** The id of whoever calls. */
  readonly person: number;
  readonly key: string;
  /** What the call asks for, as a hash. */
  readonly fingerprint: Buffer;
}

/** An answer as it was sent: its status and its JSON. */
export interface Answer {
  readonly status: number;
  readonly text: string;
}

interface Kept {
  readonly fingerprint: Buffer;
  /** Null until the answer is known. */
  readonly status: number | null;
  readonly answer: string | null;
}

/** Characters of an answer that is kept. A longer one is not repeated, the call is not carried out again either. */
const longestKept = 256 * 1024;
/** Milliseconds to wait for the same call in this process. */
const patience = 5_000;
/** Milliseconds between two looks for keys that have expired, and how many are removed at once. */
const sweepEvery = 600_000;
const sweptAtOnce = 5_000;
/** PostgreSQL's word for a lock that was not to be had in time. */
const LOCKED = '55P03';

const running = new WeakMap<Database, Map<string, Promise<unknown>>>();
const swept = new WeakMap<Database, number>();

/**
 * Carries a call out once: what it stores, and what it answers, are stored in one transaction with its key. A failed call
 * keeps nothing. The same key again answers what is kept; throws Invalid where it came with another call, InProgress
 * while the first one is still being carried out, Conflict where the answer was too long to keep.
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
  // Several may have waited for the same one.
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

/** The answer to a call whose key was used before; undefined where it was not, or is being used at this moment. */
export async function answerBefore(program: Program, asked: Asked): Promise<(Answer & { replayed: true }) | undefined> {
  const kept = await keptOf(program.database.root.kysely, asked);
  return kept && { ...repeated(asked, kept), replayed: true };
}

/** Ends a transaction of a call that was carried out before. */
class CarriedOut extends Error {}

/**
 * As `answeredOnce`, for a change that commits in a transaction of its own and calls `claim` first in it. What it answers
 * is kept after the commit: where that is not to be had any more, `answer` is asked again.
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

/** Whether the key is new. Waits while another transaction has it, since that one may be rolled back. */
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
  // It expired, and was removed, in between.
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

/** Throws Invalid where the key came with another call, and Conflict where the answer is not there any more. */
function repeated({ fingerprint }: Asked, kept: Kept): Answer {
  if (!kept.fingerprint.equals(fingerprint)) {
    const message = 'This Idempotency-Key was sent with another call before. Send a new key with a new call.';
    throw new Invalid({}, message, 'IDEMPOTENCY_KEY_REUSED');
  }
  if (kept.answer === null || kept.status === null) {
    throw new Conflict('This was carried out before, and its answer was not kept. Read the record instead.');
  }
  return { status: kept.status, text: kept.answer };
}

/** Resolves when a call has ended, whatever came of it. Throws InProgress where it takes longer than one waits. */
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

/** Removes what has expired, now and then, beside the call that came along. */
function sweep({ database: { root }, log }: Program): void {
  if ((swept.get(root) ?? 0) > Date.now() - sweepEvery) return;
  swept.set(root, Date.now());
  sql`delete from assay.idempotency_keys where ctid in (
    select ctid from assay.idempotency_keys where created_at < now() - interval '24 hours'
    limit ${sweptAtOnce} for update skip locked)`
    .execute(root.kysely)
    .catch((error: Error) => log.warn(`Expired idempotency keys could not be removed: ${error.message}`));
}
