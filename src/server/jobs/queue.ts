import { randomUUID } from 'node:crypto';
import type { Logger } from 'pino';
import type { Database, Transaction } from '../database/database';
import { Conflict, NotFound, TooManyRequests, Unavailable } from '../errors/errors';
import type { LiveHub } from '../live/live-hub';
import type { Queue } from '../queue/queue';
import type { Settings } from '../settings/settings';
import { jobsResource, type Job, type JobKind, type JobQueue } from './job';
import { runJob, type HeldJob } from './run-job';
import {
  cancelJob,
  claimJob,
  countOpenJobs,
  findDueJobs,
  findJob,
  releaseAllJobs,
  releaseJob,
  insertJob,
  lockJob,
  renewLeases,
  retryJob,
  type Claim,
} from './store';
import { getOrThrow } from '../../engine/values/lookups';

/** Notifies servers about jobs that ended or are to be cancelled. Messages of the queue start them. */
const channel = 'assay_jobs';
/** Maximum number of unfinished jobs per user. */
const maxOpenJobs = 20;

/** Intervals in milliseconds; a lease lasts three heartbeats. */
export interface QueueIntervals {
  readonly heartbeat: number;
  /** Between two searches for jobs whose server died, and two looks at one that is waited for. */
  readonly poll: number;
}

const defaultIntervals: QueueIntervals = { heartbeat: 3_000, poll: 5_000 };

/** The parts of the program that the queue needs. */
export interface QueueDependencies {
  readonly database: Database;
  readonly live: LiveHub;
  readonly queue: Queue;
  readonly settings: Pick<Settings, 'databaseUrl' | 'jobs'>;
  readonly log: Logger;
}

/** Opens the queue; no jobs run before `start`. */
export function createJobQueue(dependencies: QueueDependencies, rhythm: QueueIntervals = defaultIntervals): JobQueue {
  const { database, live, queue, settings, log } = dependencies;
  const { kysely } = database;
  const bounds = { lease: (rhythm.heartbeat * 3) / 1000, perCompany: settings.jobs.perCompany };
  const kinds = new Map<string, JobKind>();
  const runningJobs = new Map<number, HeldJob>();
  const waiters = new Map<number, Set<() => void>>();
  const stopController = new AbortController();
  let unlisten: (() => Promise<void>) | undefined;
  let stopWorker: (() => Promise<void>) | undefined;
  let heartbeat: NodeJS.Timeout | undefined;
  let stopPromise: Promise<void> | undefined;

  /**
   * Notifies everybody who waits for a job or watches it, here and on other servers, once the transaction is committed.
   */
  const notifyWatchers = async (trx: Transaction, job: Job, word: 'new' | 'cancel' | 'end' | 'on'): Promise<void> => {
    const { id, site_id, user_id } = job;
    live.publish({ resource: jobsResource, id, event: 'updated', site_id, user_id }, trx);
    if (word === 'new') await queue.send(trx, 'jobs', [{ job: id }], new Date(job.next_at));
    else if (word !== 'on') await database.notify(channel, `${word}:${id}`, trx);
  };

  const change = async (id: number, run: (trx: Transaction, before: Job) => Promise<[Job, 'new' | 'cancel' | 'end']>) =>
    database.transaction(async (trx) => {
      const previousJob = await lockJob(trx, id);
      if (!previousJob) throw new NotFound();
      const [job, word] = await run(trx, previousJob);
      await kinds.get(job.kind)?.onChange?.(trx, job);
      await notifyWatchers(trx, job, word);
      return job;
    });

  /**
   * Runs jobs one after another until none may be claimed. A message says only that there is a job: which one is next,
   * and whether its company has used up its share, is decided when it is claimed.
   */
  async function runJobs(): Promise<void> {
    while (!stopController.signal.aborted) {
      const claim = { holder: randomUUID(), lease: bounds.lease };
      const jobRequest = { ...bounds, ...claim, kinds: [...kinds.keys()], except: [...runningJobs.keys()] };
      const job = await database.transaction(async (trx) => {
        const claimedJob = await claimJob(trx, jobRequest);
        if (claimedJob) await getOrThrow(kinds, claimedJob.kind).onChange?.(trx, claimedJob);
        if (claimedJob) await notifyWatchers(trx, claimedJob, 'on');
        return claimedJob;
      });
      if (!job) return;
      await run(job, claim);
    }
  }

  function run(job: Job, claim: Claim): Promise<void> {
    const stop = new AbortController();
    const heldJob: HeldJob = { claim, stop, ended: Promise.resolve() };
    runningJobs.set(job.id, heldJob);
    if (stopController.signal.aborted) stop.abort('stopping');
    return (heldJob.ended = runJob({ database, log, claim, notifyWatchers }, getOrThrow(kinds, job.kind), job, stop)
      .catch((error: Error) => log.warn(`A job (${job.kind} ${job.id}) could not be ended: ${error.message}`))
      .finally(() => runningJobs.delete(job.id)) as Promise<void>);
  }

  async function sendHeartbeat(): Promise<void> {
    if (runningJobs.size === 0) return;
    const runningBefore = [...runningJobs];
    const heldRows = new Map(
      (
        await renewLeases(kysely, { holders: runningBefore.map(([, { claim }]) => claim.holder), lease: bounds.lease })
      ).map((heldRow) => [heldRow.id, heldRow]),
    );
    for (const [id, { stop }] of runningBefore) {
      if (!heldRows.has(id)) stop.abort('lost');
      else if (getOrThrow(heldRows, id).cancel_wanted) stop.abort('cancelled');
    }
  }

  function onNotification(payload: string | null): void {
    const [word, text] = (payload ?? 'all').split(':');
    if (word === 'cancel') runningJobs.get(Number(text))?.stop.abort('cancelled');
    if (word === 'end' || word === 'all') {
      for (const [id, calls] of waiters) if (word === 'all' || id === Number(text)) for (const call of calls) call();
    }
  }

  async function close(): Promise<void> {
    stopController.abort();
    clearInterval(heartbeat);
    for (const { stop } of runningJobs.values()) stop.abort('stopping');
    await stopWorker?.();
    // Jobs that did not reach a checkpoint: their part is rolled back when they do, since the job no longer belongs to
    // this server.
    for (const [id, { claim }] of runningJobs) {
      await database.transaction(async (trx) => {
        const job = await releaseJob(trx, claim, id, { seconds: 0, message: null, uncounted: true });
        if (job) await kinds.get(job.kind)?.onChange?.(trx, job);
        if (job) await notifyWatchers(trx, job, 'new');
      });
    }
    await unlisten?.();
  }

  return {
    kinds,
    async enqueue(trx, newJob) {
      if ((await countOpenJobs(trx, newJob.user_id)) >= maxOpenJobs) {
        throw new TooManyRequests(
          30,
          `You can have at most ${maxOpenJobs} unfinished jobs. Please wait until some have ended.`,
        );
      }
      const job = await insertJob(trx, newJob);
      await notifyWatchers(trx, job, 'new');
      return job;
    },
    async waitForEnd(id) {
      for (;;) {
        // Before the check, so that no notification is missed.
        let wake = (): void => undefined;
        const jobSignal = new Promise<void>((resolve) => (wake = resolve));
        const calls = waiters.get(id) ?? new Set();
        waiters.set(id, calls.add(wake));
        const timer = setTimeout(wake, rhythm.poll);
        stopController.signal.addEventListener('abort', wake, { once: true });
        try {
          const job = await findJob(kysely, id);
          if (!job) throw new NotFound();
          if (job.state !== 'waiting' && job.state !== 'running') return job;
          if (stopController.signal.aborted)
            throw new Unavailable(
              `The server is stopping. Your request continues as job ${id} after the restart.`,
              'OUTCOME_UNKNOWN',
            );
          await jobSignal;
        } finally {
          clearTimeout(timer);
          stopController.signal.removeEventListener('abort', wake);
          calls.delete(wake);
          if (calls.size === 0) waiters.delete(id);
        }
      }
    },
    cancel: (id) =>
      change(id, async (trx, previousJob) => {
        const savedMessage = ['Cancelled.', kinds.get(previousJob.kind)?.describeSaved?.(previousJob)]
          .filter(Boolean)
          .join(' ');
        const job = await cancelJob(trx, id, savedMessage);
        if (!job) throw new Conflict('This job has already ended.');
        return [job, job.state === 'cancelled' ? 'end' : 'cancel'];
      }),
    retry: (id) =>
      change(id, async (trx) => {
        const job = await retryJob(trx, id);
        if (!job) throw new Conflict('This job cannot be retried: only some failed or cancelled jobs can.');
        return [job, 'new'];
      }),
    async start(jobKinds) {
      for (const kind of jobKinds) kinds.set(kind.name, kind);
      unlisten = await database.listen(channel, onNotification);
      // The embedded database has only one server: running jobs were left behind when it was killed.
      if (settings.databaseUrl === undefined) await releaseAllJobs(kysely);
      const beat = () =>
        void sendHeartbeat().catch((error: Error) =>
          log.warn(`The leases of jobs could not be renewed: ${error.message}`),
        );
      heartbeat = setInterval(beat, rhythm.heartbeat).unref();
      const atOnce = settings.jobs.maxConcurrent;
      stopWorker = queue.work('jobs', {
        atOnce,
        run: runJobs,
        searchEvery: rhythm.poll / 1_000,
        findMissing: (lateSeconds) => findDueJobs(kysely, lateSeconds, atOnce),
      });
    },
    stop: () => (stopPromise ??= close()),
  };
}
