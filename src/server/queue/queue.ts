import PgBoss from 'pg-boss';
import type { Logger } from 'pino';
import { CompiledQuery, sql } from 'kysely';
import { tableLockTimeout } from '../database/busy-locks';
import type { Database, Queries } from '../database/database';
import { lockSchema } from '../database/schema-lock';
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

/** The names that the queue's tables do not have yet. */
async function missingQueues(queries: Queries): Promise<QueueName[]> {
  const { rows } = await sql<{ name: string }>`select name from ${sql.table(`${queueSchema}.queue`)}`.execute(queries);
  const existing = new Set(rows.map(({ name }) => name));
  return queueNames.filter((name) => !existing.has(name));
}

/**
 * Opens the queue and creates its tables where they are missing. Throws PostgreSQL's error 55P03 if others use them
 * meanwhile.
 */
export async function openQueue(
  database: Database,
  log: Logger,
  pollSeconds: number = defaultPollSeconds,
): Promise<Queue> {
  const execute = (text: string, values: unknown[]): Promise<{ rows: unknown[] }> => database.pool.query(text, values);
  let executeSql = execute;
  const boss = new PgBoss({
    db: { executeSql: (text, values) => executeSql(text, values) },
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
  let stopPromise: Promise<void> | undefined;
  boss.on('error', (error) => {
    if (!stopPromise) log.warn(`The queue reports: ${error.message}`);
  });
  // With its own limit, those who use the queue would wait for half a minute behind a change of its tables.
  const lockTimeout = `lock_timeout = ${tableLockTimeout}`;
  executeSql = (text, values) => execute(text.replace("lock_timeout = '30s'", lockTimeout), values);
  await boss.start();
  executeSql = execute;
  if ((await missingQueues(database.kysely)).length > 0) {
    // One server at a time: two at once would wait for one another.
    await database.transaction(async (trx) => {
      await lockSchema(trx, tableLockTimeout);
      executeSql = (text, values) => trx.executeQuery<never>(CompiledQuery.raw(text, values)) as never;
      for (const name of await missingQueues(trx)) await boss.createQueue(name);
    });
    executeSql = execute;
  }

  const loops = new Set<QueueLoop>();
  const unlisten = await database.listen(channel, (payload) => {
    for (const loop of loops) if (payload === null || payload === loop.name) loop.wake();
  });
  const periodic = createPeriodicWorker(database, log);

  const queue: Queue = {
    async send(trx, name, messages, startAfter) {
      if (messages.length === 0) return;
      const jobs = messages.map((data) => ({ name, data, ...(startAfter && { startAfter }) }));
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
    stop: () => (stopPromise ??= close()),
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
