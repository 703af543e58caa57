import PgBoss from 'pg-boss';
import type { Logger } from 'pino';
import { CompiledQuery } from 'kysely';
import type { Database, Queries } from '../database/database';
import { createPeriodicWorker, type PeriodicWork } from './periodic-work';
import { QueueLoop, type QueueData, type QueueWorker } from './queue-loop';

/** The PostgreSQL schema of the queue's tables, which belong to pg-boss. */
const queueSchema = 'assay_queue';

const channel = 'assay_queue';
/** Seconds between two looks at a queue without a notification: for what becomes due, and what is retried. */
const defaultPollSeconds = 5;
/** Seconds that one message may take, before another server may have it. */
const expireSeconds = 60;
const maintenanceSeconds = 30;

/** The queues, which exist before the first message. */
const queueNames = ['automations', 'deliveries', 'jobs', 'mails', 'periodic'] as const;
type QueueName = (typeof queueNames)[number];

/**
 * Carries work from transactions to workers. A message says that there is something to do; what, and whether it is done,
 * is in rows that its worker locks: a message that comes twice, or that is lost with the queue, neither doubles nor
 * loses anything.
 */
export interface Queue {
  /** Sends messages at the commit of the transaction, to be taken from `after` on. */
  send(trx: Queries, name: QueueName, messages: readonly QueueData[], after?: Date): Promise<void>;
  /** Works on the messages of a name on this server, until the function that it returns is called. */
  work(name: QueueName, worker: QueueWorker): () => Promise<void>;
  /** Does something now and then once in each period, on one of the servers that do. */
  repeat(works: readonly PeriodicWork[]): Promise<void>;
  /** Takes no more messages of any name, and waits for what is running, not forever. */
  stop(): Promise<void>;
}

/** Opens the queue and creates its tables where they are missing. */
export async function openQueue(
  database: Database,
  log: Logger,
  pollSeconds: number = defaultPollSeconds,
): Promise<Queue> {
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
  let repeating: (() => Promise<void>) | undefined;
  let stopped: Promise<void> | undefined;
  boss.on('error', (error) => {
    if (!stopped) log.warn(`The queue reports: ${error.message}`);
  });
  await boss.start();
  for (const name of queueNames) await boss.createQueue(name);

  const loops = new Set<QueueLoop>();
  const unlisten = await database.listen(channel, (payload) => {
    for (const loop of loops) if (payload === null || payload === loop.name) loop.wake();
  });
  const periodic = createPeriodicWorker(database, log);

  const queue: Queue = {
    async send(trx, name, messages, after) {
      if (messages.length === 0) return;
      const jobs = messages.map((data) => ({ name, data, ...(after && { startAfter: after }) }));
      const executeSql = (text: string, values: unknown[]) =>
        trx.executeQuery<never>(CompiledQuery.raw(text, values)) as unknown as Promise<{ rows: never[] }>;
      await boss.insert(jobs, { db: { executeSql } });
      await database.notify(channel, name, trx);
    },
    work(name, worker) {
      const send = (messages: readonly QueueData[]) => sendNow(name, messages);
      const loop = new QueueLoop({ boss, log, pollSeconds, send }, name, worker);
      loops.add(loop);
      return () => {
        loops.delete(loop);
        return loop.stop();
      };
    },
    async repeat(works) {
      await periodic.add(works);
      repeating ??= queue.work('periodic', periodic);
      await sendNow('periodic', await periodic.findMissing());
    },
    stop: () => (stopped ??= close()),
  };

  /** Sends messages without a transaction of the caller. */
  const sendNow = (name: QueueName, messages: readonly QueueData[]) =>
    database.transaction((trx) => queue.send(trx, name, messages));

  async function close(): Promise<void> {
    await unlisten();
    await Promise.all([...loops].map((loop) => loop.stop()));
    await boss.stop({ graceful: false, close: false }).catch((error: Error) => log.warn(`The queue: ${error.message}`));
  }

  return queue;
}
