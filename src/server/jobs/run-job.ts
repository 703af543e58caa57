import type { Logger } from 'pino';
import type { Database, Transaction } from '../database/database';
import { HttpError } from '../errors/errors';
import { Interrupted, JobFailed, type Job, type JobKind, type JobState } from './job';
import { endJob, findJob, releaseJob, lockJob, storeCheckpoint, type Claim } from './store';

/** A job that runs on this server. */
export interface HeldJob {
  readonly claim: Claim;
  readonly stop: AbortController;
  ended: Promise<void>;
}

/** Why a job is interrupted. */
type StopReason = 'cancelled' | 'stopping' | 'lost';

/** The parts of the queue that a run needs. */
export interface RunDependencies {
  readonly database: Database;
  readonly log: Logger;
  readonly claim: Claim;
  notifyWatchers(trx: Transaction, job: Job, word: 'new' | 'end' | 'on'): Promise<void>;
}

interface JobEnd {
  readonly state: JobState;
  readonly result?: unknown;
  readonly message: string;
  readonly repeatable?: boolean;
  readonly store?: (trx: Transaction) => Promise<void>;
}

/** Milliseconds between two progress events of a job. */
const progressInterval = 400;
/** Seconds until a job is retried after an error: 2, then longer each time, five minutes at most. */
const retryDelay = (attempts: number) => Math.min(2 * 3 ** Math.max(attempts - 1, 0), 300);
/** Seconds until a job is retried if the server had no capacity for it. */
const busyDelay = 2;

/** Runs a claimed job, and saves how it ended, or releases it. */
export async function runJob(
  { database, log, claim, notifyWatchers }: RunDependencies,
  kind: JobKind,
  job: Job,
  stop: AbortController,
): Promise<void> {
  let gotFurther = false;
  let toldAt = 0;

  const end = ({ state, result = null, message, repeatable = true, store }: JobEnd) =>
    database.transaction(async (trx) => {
      // Read the stored job again: the outcome of a commit may have been lost.
      const now = await lockJob(trx, job.id);
      const endMessage =
        state === 'done' || !now ? message : [message, kind.describeSaved?.(now)].filter(Boolean).join(' ');
      const endedJob = await endJob(trx, claim, job.id, { state, result, message: endMessage, repeatable });
      if (!endedJob) return;
      await kind.onChange?.(trx, endedJob);
      await store?.(trx);
      await notifyWatchers(trx, endedJob, 'end');
    });

  const back = (retry: { seconds: number; message: string | null; uncounted: boolean }) =>
    database.transaction(async (trx) => {
      const releasedJob = await releaseJob(trx, claim, job.id, retry);
      if (!releasedJob) return;
      await kind.onChange?.(trx, releasedJob);
      await notifyWatchers(trx, releasedJob, 'new');
    });

  const checkpoint: Parameters<JobKind['run']>[0]['checkpoint'] = async (trx, next) => {
    if (stop.signal.aborted) throw new Interrupted();
    const storedCheckpoint = await storeCheckpoint(trx, claim, job.id, next);
    if (!storedCheckpoint) throw new Interrupted();
    await kind.onChange?.(trx, storedCheckpoint);
    database.afterCommit(trx, () => (gotFurther = true));
    if (Date.now() - toldAt < progressInterval) return;
    toldAt = Date.now();
    await notifyWatchers(trx, storedCheckpoint, 'on');
  };

  if (job.cancel_wanted) return end({ state: 'cancelled', message: 'Cancelled.' });
  if (job.attempts > kind.attempts) {
    return end({ state: 'failed', message: `The server stopped ${kind.attempts} times while this was running.` });
  }
  try {
    const { result, message, store } = await kind.run({ ...job, signal: stop.signal, checkpoint });
    await end({ state: 'done', result, message, store });
  } catch (error) {
    const reason = stop.signal.aborted ? (stop.signal.reason as StopReason) : await reasonOf(error);
    // Another server runs it, or will: this one must not write to it any more.
    if (reason === 'lost') return;
    if (reason === 'cancelled') return end({ state: 'cancelled', message: 'Cancelled.' });
    if (reason === 'stopping') return back({ seconds: 0, message: null, uncounted: true });
    await failed(error);
  }

  /** Why a checkpoint failed; undefined for any other error. */
  async function reasonOf(error: unknown): Promise<StopReason | undefined> {
    if (!(error instanceof Interrupted)) return undefined;
    return (await findJob(database.kysely, job.id))?.cancel_wanted ? 'cancelled' : 'lost';
  }

  async function failed(error: unknown): Promise<void> {
    if (error instanceof JobFailed) {
      const { message, final, store } = error;
      return end({ state: 'failed', message, repeatable: !final, store });
    }
    if (error instanceof HttpError && error.status < 500) {
      return end({ state: 'failed', message: error.message });
    }
    if (error instanceof HttpError) return back({ seconds: busyDelay, message: null, uncounted: true });
    const attempts = gotFurther ? 1 : job.attempts;
    log.warn({ err: error }, `A job (${kind.name} ${job.id}) was interrupted by an error`);
    if (attempts >= kind.attempts) {
      return end({ state: 'failed', message: 'Server errors interrupted this several times.' });
    }
    return back({
      seconds: retryDelay(attempts),
      message: 'Interrupted by a server error; it continues automatically.',
      uncounted: false,
    });
  }
}
