import { randomUUID } from 'node:crypto';
import type { Logger } from 'pino';
import type { Database, Transaction } from '../database/database';
import { Conflict, NotFound, TooManyRequests, Unavailable } from '../errors/errors';
import type { LiveHub } from '../live/live-hub';
import type { Queue } from '../queue/queue';
import type { Settings } from '../settings/settings';
import { jobsResource, type Job, type JobKind, type JobQueue, type NewJob } from './job';
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
export function createJobQueue(
  dependencies: QueueDependencies,
  intervals: QueueIntervals = defaultIntervals,
): JobQueue {
  return new DatabaseJobQueue(dependencies, intervals);
}

/** The queue of one server; its jobs are in the database, which all servers share. */
class DatabaseJobQueue implements JobQueue {
  readonly kinds = new Map<string, JobKind>();
  private readonly runningJobs = new Map<number, HeldJob>();
  /** The calls that wait for the end of a job, by its id. */
  private readonly waiters = new Map<number, Set<() => void>>();
  private readonly stopController = new AbortController();
  private readonly bounds: { readonly lease: number; readonly perCompany: number };
  private unlisten: (() => Promise<void>) | undefined;
  private stopWorker: (() => Promise<void>) | undefined;
  private heartbeat: NodeJS.Timeout | undefined;
  private stopPromise: Promise<void> | undefined;

  constructor(
    private readonly dependencies: QueueDependencies,
    private readonly intervals: QueueIntervals,
  ) {
    this.bounds = {
      lease: (intervals.heartbeat * 3) / 1000,
      perCompany: dependencies.settings.jobs.perCompany,
    };
  }

  async enqueue(trx: Transaction, newJob: NewJob): Promise<Job> {
    if ((await countOpenJobs(trx, newJob.user_id)) >= maxOpenJobs) {
      throw new TooManyRequests(
        30,
        `You can have at most ${maxOpenJobs} unfinished jobs. Please wait until some have ended.`,
      );
    }
    const job = await insertJob(trx, newJob);
    await this.notifyWatchers(trx, job, 'new');
    return job;
  }

  async waitForEnd(id: number): Promise<Job> {
    const { signal } = this.stopController;
    for (;;) {
      // Before the check, so that no notification is missed.
      let wake = (): void => undefined;
      const jobSignal = new Promise<void>((resolve) => (wake = resolve));
      const calls = this.waiters.get(id) ?? new Set();
      this.waiters.set(id, calls.add(wake));
      const timer = setTimeout(wake, this.intervals.poll);
      signal.addEventListener('abort', wake, { once: true });
      try {
        const job = await findJob(this.dependencies.database.kysely, id);
        if (!job) throw new NotFound();
        if (job.state !== 'waiting' && job.state !== 'running') return job;
        if (signal.aborted)
          throw new Unavailable(
            `The server is stopping. Your request continues as job ${id} after the restart.`,
            'OUTCOME_UNKNOWN',
          );
        await jobSignal;
      } finally {
        clearTimeout(timer);
        signal.removeEventListener('abort', wake);
        calls.delete(wake);
        if (calls.size === 0) this.waiters.delete(id);
      }
    }
  }

  cancel(id: number): Promise<Job> {
    return this.change(id, async (trx, previousJob) => {
      const savedMessage = ['Cancelled.', this.kinds.get(previousJob.kind)?.describeSaved?.(previousJob)]
        .filter(Boolean)
        .join(' ');
      const job = await cancelJob(trx, id, savedMessage);
      if (!job) throw new Conflict('This job has already ended.');
      return [job, job.state === 'cancelled' ? 'end' : 'cancel'];
    });
  }

  retry(id: number): Promise<Job> {
    return this.change(id, async (trx) => {
      const job = await retryJob(trx, id);
      if (!job) throw new Conflict('This job cannot be retried: only some failed or cancelled jobs can.');
      return [job, 'new'];
    });
  }

  async start(jobKinds: readonly JobKind[]): Promise<void> {
    const { database, queue, settings, log } = this.dependencies;
    for (const kind of jobKinds) this.kinds.set(kind.name, kind);
    this.unlisten = await database.listen(channel, (payload) => this.onNotification(payload));
    // The embedded database has only one server: running jobs were left behind when it was killed.
    if (settings.databaseUrl === undefined) await releaseAllJobs(database.kysely);
    const beat = () =>
      void this.sendHeartbeat().catch((error: Error) =>
        log.warn(`The leases of jobs could not be renewed: ${error.message}`),
      );
    this.heartbeat = setInterval(beat, this.intervals.heartbeat).unref();
    const atOnce = settings.jobs.maxConcurrent;
    this.stopWorker = queue.work('jobs', {
      atOnce,
      run: () => this.runJobs(),
      searchEvery: this.intervals.poll / 1_000,
      findMissing: (lateSeconds) => findDueJobs(database.kysely, lateSeconds, atOnce),
    });
  }

  stop(): Promise<void> {
    return (this.stopPromise ??= this.close());
  }

  /**
   * Notifies everybody who waits for a job or watches it, here and on other servers, once the transaction is committed.
   */
  private readonly notifyWatchers = async (
    trx: Transaction,
    job: Job,
    word: 'new' | 'cancel' | 'end' | 'on',
  ): Promise<void> => {
    const { database, live, queue } = this.dependencies;
    const { id, site_id, user_id } = job;
    live.publish({ resource: jobsResource, id, event: 'updated', site_id, user_id }, trx);
    if (word === 'new') await queue.send(trx, 'jobs', [{ job: id }], new Date(job.next_at));
    else if (word !== 'on') await database.notify(channel, `${word}:${id}`, trx);
  };

  private change(
    id: number,
    run: (trx: Transaction, previousJob: Job) => Promise<[Job, 'new' | 'cancel' | 'end']>,
  ): Promise<Job> {
    return this.dependencies.database.transaction(async (trx) => {
      const previousJob = await lockJob(trx, id);
      if (!previousJob) throw new NotFound();
      const [job, word] = await run(trx, previousJob);
      await this.kinds.get(job.kind)?.onChange?.(trx, job);
      await this.notifyWatchers(trx, job, word);
      return job;
    });
  }

  /**
   * Runs jobs one after another until none may be claimed. A message says only that there is a job: which one is next,
   * and whether its company has used up its share, is decided when it is claimed.
   */
  private async runJobs(): Promise<void> {
    while (!this.stopController.signal.aborted) {
      const claim = { holder: randomUUID(), lease: this.bounds.lease };
      const jobRequest = {
        ...this.bounds,
        ...claim,
        kinds: [...this.kinds.keys()],
        except: [...this.runningJobs.keys()],
      };
      const job = await this.dependencies.database.transaction(async (trx) => {
        const claimedJob = await claimJob(trx, jobRequest);
        if (claimedJob) await getOrThrow(this.kinds, claimedJob.kind).onChange?.(trx, claimedJob);
        if (claimedJob) await this.notifyWatchers(trx, claimedJob, 'on');
        return claimedJob;
      });
      if (!job) return;
      await this.run(job, claim);
    }
  }

  private run(job: Job, claim: Claim): Promise<void> {
    const { database, log } = this.dependencies;
    const { notifyWatchers } = this;
    const stop = new AbortController();
    const heldJob: HeldJob = { claim, stop, ended: Promise.resolve() };
    this.runningJobs.set(job.id, heldJob);
    if (this.stopController.signal.aborted) stop.abort('stopping');
    return (heldJob.ended = runJob(
      { database, log, claim, notifyWatchers },
      getOrThrow(this.kinds, job.kind),
      job,
      stop,
    )
      .catch((error: Error) => log.warn(`A job (${job.kind} ${job.id}) could not be ended: ${error.message}`))
      .finally(() => this.runningJobs.delete(job.id)) as Promise<void>);
  }

  private async sendHeartbeat(): Promise<void> {
    if (this.runningJobs.size === 0) return;
    const runningBefore = [...this.runningJobs];
    const renewedLeases = await renewLeases(this.dependencies.database.kysely, {
      holders: runningBefore.map(([, { claim }]) => claim.holder),
      lease: this.bounds.lease,
    });
    const leases = new Map(renewedLeases.map((lease) => [lease.id, lease]));
    for (const [id, { stop }] of runningBefore) {
      const lease = leases.get(id);
      if (!lease) stop.abort('lost');
      else if (lease.cancel_wanted) stop.abort('cancelled');
    }
  }

  private onNotification(payload: string | null): void {
    const [word, text] = (payload ?? 'all').split(':');
    if (word === 'cancel') this.runningJobs.get(Number(text))?.stop.abort('cancelled');
    if (word === 'end' || word === 'all') {
      for (const [id, calls] of this.waiters)
        if (word === 'all' || id === Number(text)) for (const call of calls) call();
    }
  }

  private async close(): Promise<void> {
    this.stopController.abort();
    clearInterval(this.heartbeat);
    for (const { stop } of this.runningJobs.values()) stop.abort('stopping');
    await this.stopWorker?.();
    // Jobs that did not reach a checkpoint: their part is rolled back when they do, since the job no longer belongs to
    // this server.
    for (const [id, { claim }] of this.runningJobs) {
      await this.dependencies.database.transaction(async (trx) => {
        const job = await releaseJob(trx, claim, id, { seconds: 0, message: null, uncounted: true });
        if (job) await this.kinds.get(job.kind)?.onChange?.(trx, job);
        if (job) await this.notifyWatchers(trx, job, 'new');
      });
    }
    await this.unlisten?.();
  }
}
