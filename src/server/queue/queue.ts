import PgBoss from 'pg-boss';
import type { Logger } from 'pino';
import { CompiledQuery } from 'kysely';
import type { Database, Queries, Transaction } from '../database/database';

/** The PostgreSQL schema of the queue's tables, which belong to pg-boss. */
const queueSchema = 'assay_queue';

const channel = 'assay_queue';
/** Seconds between two looks at a queue without a notification: for what becomes due, and what is retried. */
const pollSeconds = 5;
/** Seconds that one message may take, before another server may have it. */
const expireSeconds = 60;
const maintenanceSeconds = 30;
/** How long running work may take when the program stops, in milliseconds. */
const stopTimeout = 4_000;

/** A message: what to do is stored in rows of our own, which it names. */
export type QueueData = Readonly<Record<string, number>>;

/** Does what a message names. What it throws is logged, and the message comes again. */
export type QueueWorker = (data: QueueData, stopping: AbortSignal) => Promise<void>;

/**
 * Carries work from transactions to workers. A message says that there is something to do; what, and whether it is done,
 * is in rows that its worker locks: a message that comes twice, or that is lost with the queue, neither doubles nor
 * loses anything.
 */
export interface Queue {
  /** Sends messages at the commit of the transaction, to be taken from `after` on. */
  send(trx: Queries, name: string, messages: readonly QueueData[], after?: Date): Promise<void>;
  /** Starts working, at most so many messages of a name at once. */
  start(workers: Readonly<Record<string, { readonly run: QueueWorker; readonly atOnce: number }>>): Promise<void>;
  stop(): Promise<void>;
}

/** The queues, which exist before the first message. */
const queueNames = ['automations', 'deliveries'] as const;

/** Opens the queue and creates its tables where they are missing. */
export async function openQueue(database: Database, log: Logger): Promise<Queue> {
  const boss = new PgBoss({
    db: { executeSql: (text, values) => database.pool.query(text, values as unknown[]) },
    schema: queueSchema,
    schedule: false,
    maintenanceIntervalSeconds: maintenanceSeconds,
    archiveCompletedAfterSeconds: 60 * 60,
    deleteAfterDays: 1,
    retryLimit: 20,
    retryDelay: 5,
    retryBackoff: false,
    expireInSeconds: expireSeconds,
    retentionDays: 30,
  });
  boss.on('error', (error) => stopping.signal.aborted || log.warn(`The queue reports: ${error.message}`));
  const stopping = new AbortController();
  const known = new Set<string>();
  let loops: QueueLoop[] = [];
  let unlisten: (() => Promise<void>) | undefined;
  let stopped: Promise<void> | undefined;
  await boss.start();

  const ensure = async (name: string) => {
    if (known.has(name)) return;
    await boss.createQueue(name);
    known.add(name);
  };

  async function close(): Promise<void> {
    stopping.abort();
    await unlisten?.();
    await Promise.all(loops.map((loop) => loop.stop()));
    await boss.stop({ graceful: false, close: false }).catch((error: Error) => log.warn(`The queue: ${error.message}`));
  }

  for (const name of queueNames) await ensure(name);
  return {
    async send(trx, name, messages, after) {
      if (messages.length === 0) return;
      const jobs = messages.map((data) => ({ name, data, ...(after && { startAfter: after }) }));
      const executeSql = (text: string, values: unknown[]) =>
        trx.executeQuery<never>(CompiledQuery.raw(text, values)) as unknown as Promise<{ rows: never[] }>;
      await boss.insert(jobs, { db: { executeSql } });
      await database.notify(channel, name, trx);
    },
    async start(workers) {
      loops = Object.entries(workers).map(
        ([name, { run, atOnce }]) => new QueueLoop(boss, name, run, atOnce, stopping.signal, log),
      );
      unlisten = await database.listen(channel, (payload) => {
        for (const loop of loops) if (payload === null || payload === loop.name) loop.wake();
      });
      for (const loop of loops) loop.wake();
    },
    stop: () => (stopped ??= close()),
  };
}

/** Takes messages of one queue and works on them. */
class QueueLoop {
  private readonly running = new Set<Promise<void>>();
  private fetching: Promise<void> | undefined;
  private fetchAgain = false;
  private readonly timer: NodeJS.Timeout;

  constructor(
    private readonly boss: PgBoss,
    readonly name: string,
    private readonly run: QueueWorker,
    private readonly atOnce: number,
    private readonly stopping: AbortSignal,
    private readonly log: Logger,
  ) {
    this.timer = setInterval(() => this.wake(), pollSeconds * 1_000).unref();
  }

  wake(): void {
    this.fetchAgain = true;
    if (this.fetching || this.stopping.aborted) return;
    this.fetching = this.fetch()
      .catch((error: Error) => this.log.warn(`The queue ${this.name} could not be read: ${error.message}`))
      .finally(() => {
        this.fetching = undefined;
      });
  }

  async stop(): Promise<void> {
    clearInterval(this.timer);
    await this.fetching;
    let timer: NodeJS.Timeout | undefined;
    const patience = new Promise((done) => (timer = setTimeout(done, stopTimeout)));
    await Promise.race([Promise.all(this.running), patience]);
    clearTimeout(timer);
  }

  private async fetch(): Promise<void> {
    while (this.fetchAgain && !this.stopping.aborted && this.running.size < this.atOnce) {
      this.fetchAgain = false;
      const jobs = await this.boss.fetch<QueueData>(this.name, { batchSize: this.atOnce - this.running.size });
      for (const job of jobs) this.begin(job);
      if (jobs.length > 0) this.fetchAgain = true;
    }
  }

  private begin(job: PgBoss.Job<QueueData>): void {
    const work = this.work(job).finally(() => {
      this.running.delete(work);
      this.wake();
    });
    this.running.add(work);
  }

  private async work({ id, data }: PgBoss.Job<QueueData>): Promise<void> {
    try {
      await this.run(data, this.stopping);
      await this.boss.complete(this.name, id);
    } catch (error) {
      if (!this.stopping.aborted)
        this.log.warn(`Work of the queue ${this.name} failed and is tried again: ${(error as Error).message}`);
      await this.boss.fail(this.name, id, { message: (error as Error).message }).catch(() => undefined);
    }
  }
}

/** Messages as a caller without a transaction of its own sends them. */
export async function sendNow(
  { database, queue }: { readonly database: Database; readonly queue: Queue },
  name: string,
  messages: readonly QueueData[],
): Promise<void> {
  await database.transaction((trx: Transaction) => queue.send(trx, name, messages));
}
