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

/** Notifies servers about jobs that ended or are to be cancelled. What starts them is messages of the queue. */
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

/** What the queue needs of the program. */
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
  const running = new Map<number, HeldJob>();
  const waiters = new Map<number, Set<() => void>>();
  const stopping = new AbortController();
  let unlisten: (() => Promise<void>) | undefined;
  let stopWorker: (() => Promise<void>) | undefined;
  let heartbeat: NodeJS.Timeout | undefined;
  let stopped: Promise<void> | undefined;

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
      const before = await lockJob(trx, id);
      if (!before) throw new NotFound();
      const [job, word] = await run(trx, before);
      await kinds.get(job.kind)?.onChange?.(trx, job);
      await notifyWatchers(trx, job, word);
      return job;
    });

  /**
   * Runs jobs one after another until none may be claimed. A message says only that there is a job: which one is next,
   * and whether its company has used up its share, is decided when it is claimed.
   */
  async function runJobs(): Promise<void> {
    while (!stopping.signal.aborted) {
      const claim = { holder: randomUUID(), lease: bounds.lease };
      const asked = { ...bounds, ...claim, kinds: [...kinds.keys()], except: [...running.keys()] };
      const job = await database.transaction(async (trx) => {
        const claimed = await claimJob(trx, asked);
        if (claimed) await kinds.get(claimed.kind)!.onChange?.(trx, claimed);
        if (claimed) await notifyWatchers(trx, claimed, 'on');
        return claimed;
      });
      if (!job) return;
      await run(job, claim);
    }
  }

  function run(job: Job, claim: Claim): Promise<void> {
    const stop = new AbortController();
    const holding: HeldJob = { claim, stop, ended: Promise.resolve() };
    running.set(job.id, holding);
    if (stopping.signal.aborted) stop.abort('stopping');
    return (holding.ended = runJob({ database, log, claim, notifyWatchers }, kinds.get(job.kind)!, job, stop)
      .catch((error: Error) => log.warn(`A job (${job.kind} ${job.id}) could not be ended: ${error.message}`))
      .finally(() => running.delete(job.id)) as Promise<void>);
  }

  async function sendHeartbeat(): Promise<void> {
    if (running.size === 0) return;
    const before = [...running];
    const held = new Map(
      (await renewLeases(kysely, { holders: before.map(([, { claim }]) => claim.holder), lease: bounds.lease })).map(
        (one) => [one.id, one],
      ),
    );
    for (const [id, { stop }] of before) {
      if (!held.has(id)) stop.abort('lost');
      else if (held.get(id)!.cancel_wanted) stop.abort('cancelled');
    }
  }

  function onNotification(payload: string | null): void {
    const [word, text] = (payload ?? 'all').split(':');
    if (word === 'cancel') running.get(Number(text))?.stop.abort('cancelled');
    if (word === 'end' || word === 'all') {
      for (const [id, calls] of waiters) if (word === 'all' || id === Number(text)) for (const call of calls) call();
    }
  }

  async function close(): Promise<void> {
    stopping.abort();
    clearInterval(heartbeat);
    for (const { stop } of running.values()) stop.abort('stopping');
    await stopWorker?.();
    // Jobs that did not reach a checkpoint: their part is rolled back when they do, since the job no longer belongs to
    // this server.
    for (const [id, { claim }] of running) {
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
    async enqueue(trx, asked) {
      if ((await countOpenJobs(trx, asked.user_id)) >= maxOpenJobs) {
        throw new TooManyRequests(
          30,
          `You can have at most ${maxOpenJobs} unfinished jobs. Please wait until some have ended.`,
        );
      }
      const job = await insertJob(trx, asked);
      await notifyWatchers(trx, job, 'new');
      return job;
    },
    async waitForEnd(id) {
      for (;;) {
        // Before the check, so that no notification is missed.
        let wake = (): void => undefined;
        const news = new Promise<void>((done) => (wake = done));
        const calls = waiters.get(id) ?? new Set();
        waiters.set(id, calls.add(wake));
        const timer = setTimeout(wake, rhythm.poll);
        stopping.signal.addEventListener('abort', wake, { once: true });
        try {
          const job = await findJob(kysely, id);
          if (!job) throw new NotFound();
          if (job.state !== 'waiting' && job.state !== 'running') return job;
          if (stopping.signal.aborted)
            throw new Unavailable(
              `The server is stopping. Your request continues as job ${id} after the restart.`,
              'OUTCOME_UNKNOWN',
            );
          await news;
        } finally {
          clearTimeout(timer);
          stopping.signal.removeEventListener('abort', wake);
          calls.delete(wake);
          if (calls.size === 0) waiters.delete(id);
        }
      }
    },
    cancel: (id) =>
      change(id, async (trx, before) => {
        const said = ['Cancelled.', kinds.get(before.kind)?.describeSaved?.(before)].filter(Boolean).join(' ');
        const job = await cancelJob(trx, id, said);
        if (!job) throw new Conflict('This job has already ended.');
        return [job, job.state === 'cancelled' ? 'end' : 'cancel'];
      }),
    retry: (id) =>
      change(id, async (trx) => {
        const job = await retryJob(trx, id);
        if (!job) throw new Conflict('This job cannot be retried: only some failed or cancelled jobs can.');
        return [job, 'new'];
      }),
    async start(given) {
      for (const kind of given) kinds.set(kind.name, kind);
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
        findMissing: (late) => findDueJobs(kysely, late, atOnce),
      });
    },
    stop: () => (stopped ??= close()),
  };
}
