import { randomUUID } from 'node:crypto';
import type { Logger } from 'pino';
import type { Database, Transaction } from '../database/database';
import { Conflict, NotFound, TooMany, Unavailable } from '../errors/errors';
import type { LiveHub } from '../program';
import type { Settings } from '../settings/settings';
import { jobEvents, type Job, type JobKind, type Jobs } from './job';
import { runJob, type Holding } from './run-job';
import {
  cancelJob,
  claimJob,
  countOpen,
  dropOldJobs,
  findJob,
  freeAll,
  giveBack,
  insertJob,
  lockJob,
  renewLeases,
  retryJob,
  type Claim,
} from './store';

const channel = 'assay_jobs';
/** Maximum number of unfinished jobs per user. */
const mostOpen = 20;
/** How long running jobs may take to reach their next checkpoint when the server stops, in milliseconds. */
const grace = 6_000;
const hour = 3_600_000;

/** Intervals in milliseconds; a lease lasts three heartbeats. */
export interface Rhythm {
  readonly beat: number;
  /** Between two checks for jobs, even without notifications. */
  readonly look: number;
}

const usual: Rhythm = { beat: 3_000, look: 5_000 };

/** What the queue needs of the program. */
export interface JobSurroundings {
  readonly database: Database;
  readonly live: LiveHub;
  readonly settings: Pick<Settings, 'databaseUrl' | 'jobs'>;
  readonly log: Logger;
}

/** Opens the queue; no jobs run before `start`. */
export function openJobs(surroundings: JobSurroundings, rhythm: Rhythm = usual): Jobs {
  const { database, live, settings, log } = surroundings;
  const { kysely } = database;
  const bounds = { lease: (rhythm.beat * 3) / 1000, perCompany: settings.jobs.perCompany };
  const kinds = new Map<string, JobKind>();
  const running = new Map<number, Holding>();
  const waiters = new Map<number, Set<() => void>>();
  const stopping = new AbortController();
  let unlisten: (() => Promise<void>) | undefined;
  let looking: Promise<void> | undefined;
  let lookAgain = false;
  let timers: NodeJS.Timeout[] = [];
  let stopped: Promise<void> | undefined;

  /**
   * Notifies everybody who waits for a job or watches it, here and on other servers, once the transaction is committed.
   */
  const tell = async (trx: Transaction, job: Job, word: 'new' | 'cancel' | 'end' | 'on'): Promise<void> => {
    const { id, site_id, user_id } = job;
    live.publish({ resource: jobEvents, id, event: 'updated', site_id, user_id }, trx);
    if (word !== 'on') await database.notify(channel, `${word}:${id}`, trx);
  };

  const change = async (id: number, run: (trx: Transaction, before: Job) => Promise<[Job, 'new' | 'cancel' | 'end']>) =>
    database.transaction(async (trx) => {
      const before = await lockJob(trx, id);
      if (!before) throw new NotFound();
      const [job, word] = await run(trx, before);
      await kinds.get(job.kind)?.changed?.(trx, job);
      await tell(trx, job, word);
      return job;
    });

  async function fill(): Promise<void> {
    do {
      lookAgain = false;
      while (!stopping.signal.aborted && running.size < settings.jobs.atOnce) {
        const claim = { holder: randomUUID(), lease: bounds.lease };
        const asked = { ...bounds, ...claim, kinds: [...kinds.keys()], except: [...running.keys()] };
        const job = await database.transaction(async (trx) => {
          const claimed = await claimJob(trx, asked);
          if (claimed) await kinds.get(claimed.kind)!.changed?.(trx, claimed);
          if (claimed) await tell(trx, claimed, 'on');
          return claimed;
        });
        if (!job) break;
        begin(job, claim);
      }
    } while (lookAgain && !stopping.signal.aborted);
  }

  function begin(job: Job, claim: Claim): void {
    const stop = new AbortController();
    const holding: Holding = { claim, stop, ended: Promise.resolve() };
    running.set(job.id, holding);
    holding.ended = runJob({ database, log, claim, tell }, kinds.get(job.kind)!, job, stop)
      .catch((error: Error) => log.warn(`A job (${job.kind} ${job.id}) could not be ended: ${error.message}`))
      .finally(() => {
        running.delete(job.id);
        look();
      });
    if (stopping.signal.aborted) stop.abort('stopping');
  }

  function look(): void {
    lookAgain = true;
    if (looking || stopping.signal.aborted || kinds.size === 0) return;
    looking = fill()
      .catch((error: Error) => log.warn(`The job queue could not be read: ${error.message}`))
      .finally(() => {
        looking = undefined;
      });
  }

  async function beat(): Promise<void> {
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

  function hear(payload: string | null): void {
    const [word, text] = (payload ?? 'all').split(':');
    if (word === 'cancel') running.get(Number(text))?.stop.abort('cancelled');
    if (word === 'end' || word === 'all') {
      for (const [id, calls] of waiters) if (word === 'all' || id === Number(text)) for (const call of calls) call();
    }
    if (word === 'new' || word === 'all') look();
  }

  async function close(): Promise<void> {
    stopping.abort();
    for (const timer of timers) clearInterval(timer);
    await looking;
    for (const { stop } of running.values()) stop.abort('stopping');
    let timer: NodeJS.Timeout | undefined;
    const patience = new Promise((done) => (timer = setTimeout(done, grace)));
    await Promise.race([Promise.all([...running.values()].map(({ ended }) => ended)), patience]);
    clearTimeout(timer);
    // Jobs that did not reach a checkpoint: their part is rolled back when they do, since the job no longer belongs to
    // this server.
    for (const [id, { claim }] of running) {
      await database.transaction(async (trx) => {
        const job = await giveBack(trx, claim, id, { seconds: 0, message: null, uncounted: true });
        if (job) await kinds.get(job.kind)?.changed?.(trx, job);
        if (job) await tell(trx, job, 'new');
      });
    }
    await unlisten?.();
  }

  return {
    kinds,
    async enqueue(trx, asked) {
      if ((await countOpen(trx, asked.user_id)) >= mostOpen) {
        throw new TooMany(30, `You can have at most ${mostOpen} unfinished jobs. Please wait until some have ended.`);
      }
      const job = await insertJob(trx, asked);
      await tell(trx, job, 'new');
      return job;
    },
    async ended(id) {
      for (;;) {
        // Before the check, so that no notification is missed.
        let wake = (): void => undefined;
        const news = new Promise<void>((done) => (wake = done));
        const calls = waiters.get(id) ?? new Set();
        waiters.set(id, calls.add(wake));
        const timer = setTimeout(wake, rhythm.look);
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
        const said = ['Cancelled.', kinds.get(before.kind)?.remainder?.(before)].filter(Boolean).join(' ');
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
      unlisten = await database.listen(channel, hear);
      // The embedded database has only one server: running jobs were left behind when it was killed.
      if (settings.databaseUrl === undefined) await freeAll(kysely);
      const safely = (what: string, run: () => Promise<void>) => () =>
        void run().catch((error: Error) => log.warn(`${what}: ${error.message}`));
      const tidy = safely('Old jobs could not be deleted', () => dropOldJobs(kysely, settings.jobs.keptDays));
      timers = [
        setInterval(look, rhythm.look),
        setInterval(safely('The leases of jobs could not be renewed', beat), rhythm.beat),
        setInterval(tidy, hour),
      ].map((timer) => timer.unref());
      tidy();
      look();
    },
    stop: () => (stopped ??= close()),
  };
}
