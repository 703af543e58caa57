import { CompiledQuery, Kysely, type PostgresPool, type Transaction as KyselyTransaction } from 'kysely';
import type pg from 'pg';
import type { Logger } from 'pino';
import { OutcomeUnknown } from '../errors/errors';
import { textFormat, toJsonRows, type JsonRow, type ColumnWriters } from './json-rows';
import { type Listen, openNotifications } from './notifications';
import { Replicas } from './replicas';
import { logSlowStatements } from './slow-statements';
import { createPreparedSessions, type Session, type Statement } from './statements';
import { TemplateDialect } from './template-compiler';
import { Connections, type DatabaseOptions } from './connections';
import { responseTimeout, readTimeout } from './timeouts';

/** Tables follow definitions, which are read at run time: the compiler does not know their columns. */
// oxlint-disable-next-line typescript/no-explicit-any
export type Tables = any;
export type Queries = Kysely<Tables>;
export type Transaction = KyselyTransaction<Tables>;
export type Row = Record<string, unknown>;

/** The only access to PostgreSQL. Within a transaction use its handle, never the outer one. */
export interface Database {
  readonly pool: pg.Pool;
  /** The database outside of any transaction: caches per database use this object as their key. */
  readonly root: Database;
  readonly kysely: Queries;
  /** The replicas that answer reads, if there are any. */
  readonly replicas?: Replicas;
  /** Runs a compiled statement, prepared under a name, within the transaction if given. */
  query(statement: Statement, trx?: Queries): Promise<Row[]>;
  /** As `query` outside of a transaction, with each row as JSON text. */
  queryAsJson(statement: Statement, writers?: ColumnWriters): Promise<JsonRow[]>;
  /**
   * Runs a statement that commits by itself, whatever becomes of a transaction that the caller is in. It has connections
   * of its own: a caller that holds one of the pool never waits for a second one of it. Its commit is not flushed to the
   * disk, which every later commit does with it, so that nothing that was stored because of it outlives it. Throws
   * PostgreSQL's error 55P03 if it waits for a lock for a tenth of a second: repeat it for as long as seems right.
   */
  queryIndependently(statement: Statement): Promise<Row[]>;
  /**
   * Runs a transaction; `afterCommit` callbacks run once it is committed. Throws OutcomeUnknown if the connection was
   * lost during the commit.
   */
  transaction<T>(run: (trx: Transaction) => Promise<T>): Promise<T>;
  /** Calls back once the transaction has committed, not if it is rolled back. Errors of the callback are logged. */
  afterCommit(trx: Transaction, call: () => void): void;
  /**
   * Calls back once the transaction is known to have stored nothing; whoever runs it waits for the call. Errors of the
   * callback are logged.
   */
  afterRollback(trx: Transaction, call: () => Promise<void>): void;
  /** As `afterCommit`, but calls back immediately if the write is not part of a transaction. */
  afterWrite(call: () => void, trx?: Transaction): void;
  /**
   * Notifies every process on this database, including this one, at the commit if within a transaction. At most 7,999
   * bytes.
   */
  notify(channel: string, payload: string, trx?: Queries): Promise<void>;
  /**
   * Subscribes to notifications. `null` means that some may have been missed (the connection was lost and is back, or a
   * change may have been stored without its notification): discard everything derived from earlier ones. Returns a
   * function that unsubscribes.
   */
  readonly listen: Listen;
  /** Whether notifications arrive at the moment; while they do not, nothing should be cached for long. */
  isListening(): boolean;
  /**
   * Runs something on a separate connection, bypassing any pooler and without time limits: for what PostgreSQL does
   * outside of transactions. The connection is closed afterwards, and with the database.
   */
  withDirectConnection<T>(run: (client: pg.Client) => Promise<T>): Promise<T>;
  /** Forgets prepared statements; call it after tables have changed. */
  forgetPreparedStatements(): void;
  close(): Promise<void>;
}

/** The functions that are called when a transaction has ended. */
interface Callbacks {
  readonly commit: (() => void)[];
  readonly rollback: (() => Promise<void>)[];
}

const pendingCallbacks = new WeakMap<Transaction, Callbacks>();

/**
 * How many callbacks wait for the commit of a transaction.
 *
 * @example const count = countCommitCallbacks(trx); // before a savepoint
 */
export function countCommitCallbacks(trx: Transaction): number {
  return pendingCallbacks.get(trx)?.commit.length ?? 0;
}

/**
 * Drops the callbacks of a part that was undone: those after the first `count`. Files that the part removed are still
 * named by their records.
 *
 * @example dropCommitCallbacks(trx, count); // after `rollback to savepoint`
 */
export function dropCommitCallbacks(trx: Transaction, count: number): void {
  pendingCallbacks.get(trx)?.commit.splice(count);
}

/**
 * Runs a compiled statement within a transaction, or wherever the queries belong.
 *
 * @example await runStatement<{ name: string }>(trx, { sql: 'select name from deals where id = $1', parameters: [7] });
 */
export async function runStatement<R = Row>(queries: Queries, { sql, parameters }: Statement): Promise<R[]> {
  return (await queries.executeQuery<R>(CompiledQuery.raw(sql, [...parameters]))).rows;
}

/** Opens a pool of connections to the database at a `postgres://…` address. Connects with the first statement. */
export function openDatabase(url: string, log: Logger, options: DatabaseOptions = {}): Database {
  const longestRead = options.readTimeout ?? readTimeout;
  const connections = new Connections(url, longestRead, log, options);
  const { pool, independentPool } = connections;
  const notifications = openNotifications(connections.direct, log);
  const statements = createPreparedSessions(pool, {
    onUnknown: notifications.announceMissed,
    patience: responseTimeout(longestRead),
    connections: pool.options.max,
    prepare: options.directUrl === undefined,
  });
  const openPrimary = logSlowStatements(statements.session, options.slowAfter ?? 0, log);
  const replicas =
    options.readUrls && new Replicas(options.readUrls, connections, openPrimary, longestRead, log, options);
  const openSession = replicas ? () => replicas.open() : openPrimary;
  const independent = createPreparedSessions(independentPool, {
    onUnknown: () => undefined,
    patience: responseTimeout(longestRead),
    connections: independentPool.options.max,
    prepare: true,
  });
  const openIndependentSession = logSlowStatements(independent.session, options.slowAfter ?? 0, log);
  const kysely: Queries = new Kysely({
    dialect: new TemplateDialect({
      pool: { connect: openSession, end: async () => undefined } as unknown as PostgresPool,
    }),
  });

  const callbacksOf = (trx: Transaction): Callbacks => {
    const callbacks = pendingCallbacks.get(trx);
    if (!callbacks) throw new Error('Callbacks need a transaction of Database.transaction.');
    return callbacks;
  };

  const runSafely = (call: () => void): void => {
    try {
      call();
    } catch (error) {
      // The change is committed: the caller must learn that, whatever goes wrong afterwards.
      log.error({ err: error }, 'A callback after a commit failed');
    }
  };

  const runOn = async (openOne: () => Promise<Session>, { sql, parameters }: Statement): Promise<Row[]> => {
    const session = await openOne();
    try {
      return (await session.query(sql, parameters)).rows as Row[];
    } finally {
      session.release();
    }
  };

  const database: Database = {
    pool,
    get root() {
      return database;
    },
    kysely,
    replicas,
    forgetPreparedStatements() {
      statements.renew();
      replicas?.renew();
      independent.renew();
    },
    withDirectConnection: (run) => connections.withDirect(run),
    async query(statement, trx) {
      if (trx) return runStatement(trx, statement);
      return runOn(openSession, statement);
    },
    queryIndependently: (statement) => runOn(openIndependentSession, statement),
    async queryAsJson(statement, writers) {
      const session = await openSession();
      try {
        const result = await session.query(statement.sql, statement.parameters, textFormat);
        return toJsonRows(result as unknown as pg.QueryArrayResult, writers);
      } finally {
        session.release();
      }
    },
    async transaction(run) {
      const callbacks: Callbacks = { commit: [], rollback: [] };
      try {
        const result = await kysely.transaction().execute(async (trx) => {
          pendingCallbacks.set(trx, callbacks);
          return run(trx);
        });
        callbacks.commit.forEach(runSafely);
        return result;
      } catch (error) {
        if (!(error instanceof OutcomeUnknown)) {
          for (const call of callbacks.rollback)
            await call().catch((reason: unknown) => log.error({ err: reason }, 'A callback after a rollback failed'));
        }
        throw error;
      }
    },
    afterCommit(trx, call) {
      callbacksOf(trx).commit.push(call);
    },
    afterRollback(trx, call) {
      callbacksOf(trx).rollback.push(call);
    },
    afterWrite(call, trx) {
      if (trx) database.afterCommit(trx, call);
      else call();
    },
    async notify(channel, payload, trx = kysely) {
      await trx.executeQuery(CompiledQuery.raw('select pg_notify($1, $2)', [channel, payload]));
    },
    listen: notifications.listen,
    isListening: notifications.isAlive,
    async close() {
      await notifications.close();
      await kysely.destroy();
      await replicas?.close();
      await connections.close();
    },
  };
  return database;
}
