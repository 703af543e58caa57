import { setTimeout as wait } from 'node:timers/promises';
import {
  CompiledQuery,
  Kysely,
  PostgresDialect,
  type PostgresPool,
  type Transaction as KyselyTransaction,
} from 'kysely';
import pg from 'pg';
import type { Logger } from 'pino';
import { asTexts, jsonRows, type JsonRow, type Writers } from './json-rows';
import { type Listen, openNotifications } from './notifications';
import { loggingSlow } from './slow-statements';
import { namedStatements, type Statement } from './statements';
import { answerWithin, idleTimeout, lockTimeout, readTimeout } from './timeouts';
import { valueTypes } from './value-parsers';

/** Tables follow definitions, which are read at run time: their columns are not known to the compiler. */
// eslint-disable-next-line @typescript-eslint/no-explicit-any
export type Tables = any;
export type Queries = Kysely<Tables>;
export type Transaction = KyselyTransaction<Tables>;
export type Row = Record<string, unknown>;

/** The one way to PostgreSQL. Within a transaction use its handle, never the outer one. */
export interface Database {
  readonly pool: pg.Pool;
  /** The database outside of any transaction: what is remembered of a database belongs to this one. */
  readonly root: Database;
  readonly kysely: Queries;
  /** Runs a compiled statement, prepared under a name, in the transaction if one is given. */
  named(statement: Statement, trx?: Queries): Promise<Row[]>;
  /** As `named` outside of a transaction, each row as the text of a JSON object. */
  namedAsJson(statement: Statement, writers?: Writers): Promise<JsonRow[]>;
  /**
   * Everything or nothing; what `afterCommit` was given runs once all is stored. Throws OutcomeUnknown where the
   * connection was lost at the commit.
   */
  transaction<T>(run: (trx: Transaction) => Promise<T>): Promise<T>;
  /** Calls once the transaction has committed, and not at all when it is rolled back. An error of the call is logged. */
  afterCommit(trx: Transaction, call: () => void): void;
  /** As `afterCommit`, and at once where the write is no part of a transaction. */
  afterWrite(call: () => void, trx?: Transaction): void;
  /** Tells every process on this database, this one included: at commit within a transaction. At most 7,999 bytes. */
  notify(channel: string, payload: string, trx?: Queries): Promise<void>;
  /**
   * Listens to what `notify` sends. `null` means that something may have been missed (the connection was lost and is
   * there again, or a change may have been stored without its news): drop what was derived from earlier news. Answers
   * how to stop listening.
   */
  readonly listen: Listen;
  /** Whether news arrive at this moment; while they do not, nothing should be remembered for long. */
  listening(): boolean;
  /**
   * Runs something on a connection of its own, past any pooler and without time limits: for what PostgreSQL does outside
   * of transactions. The connection ends with it, and with the database.
   */
  alone<T>(run: (client: pg.Client) => Promise<T>): Promise<T>;
  /** Forgets prepared statements; to be called after tables have changed. */
  renew(): void;
  close(): Promise<void>;
}

/** Connections of the pool; one more listens. */
export const defaultConnections = 20;
/** Milliseconds to wait for a connection, a new one or one that is in use. */
const CONNECT_WITHIN = 5_000;

/** How a database is reached, beside its address. */
export interface DatabaseOptions {
  readonly connections?: number;
  /** Milliseconds for a statement outside a transaction. */
  readonly readTimeout?: number;
  /** Milliseconds after which a statement is logged as slow; 0: none is. */
  readonly slowAfter?: number;
  /**
   * The same database past a pooler of connections at `url`, for the connection that listens. With it nothing on the
   * pool outlives its transaction: no prepared statement, and no setting of a session (`checkSessions` sees to those).
   */
  readonly directUrl?: string;
}

/** Milliseconds in which connections that were told to end have to be closed by the database, too. */
const FAREWELL = 2_000;

const ended = (client: pg.PoolClient) => new Promise<void>((done) => client.once('end', done));

/** Opens a pool of connections to the database at a `postgres://…` address. Connects at the first statement. */
export function openDatabase(url: string, log: Logger, options: DatabaseOptions = {}): Database {
  const longestRead = options.readTimeout ?? readTimeout;
  const connection: pg.ClientConfig = {
    connectionString: url,
    application_name: 'assay',
    types: valueTypes,
    connectionTimeoutMillis: CONNECT_WITHIN,
    keepAlive: true,
    keepAliveInitialDelayMillis: 10_000,
  };
  const pool = new pg.Pool({
    ...connection,
    max: options.connections ?? defaultConnections,
    idleTimeoutMillis: 60_000,
    // A pooler of connections refuses settings of a session.
    ...(options.directUrl === undefined && {
      statement_timeout: longestRead,
      lock_timeout: lockTimeout,
      idle_in_transaction_session_timeout: idleTimeout,
      options: '-c TimeZone=UTC -c DateStyle=ISO',
    }),
  });
  const open = new Set<pg.PoolClient>();
  const apart = new Set<() => void>();
  let closing = false;
  pool.on('error', (error) => closing || log.warn(`A database connection was lost: ${error.message}`));
  pool.on('connect', (client) => {
    open.add(client);
    client.once('end', () => open.delete(client));
    // A connection that breaks while it is in use, but idle, would otherwise end the process.
    client.on('error', (error) => closing || log.warn(`A database connection broke: ${error.message}`));
  });

  const notifications = openNotifications({ ...connection, connectionString: options.directUrl ?? url }, log);
  const statements = namedStatements(pool, {
    onUnknown: notifications.missed,
    patience: answerWithin(longestRead),
    prepare: options.directUrl === undefined,
  });
  const openSession = loggingSlow(statements.session, options.slowAfter ?? 0, log);
  const waiting = new WeakMap<Transaction, (() => void)[]>();
  const kysely: Queries = new Kysely({
    dialect: new PostgresDialect({
      pool: { connect: openSession, end: async () => undefined } as unknown as PostgresPool,
    }),
  });

  const called = (call: () => void): void => {
    try {
      call();
    } catch (error) {
      // What is stored is stored: the caller is told so, whatever goes wrong afterwards.
      log.error({ err: error }, 'What follows a stored change failed');
    }
  };

  const database: Database = {
    pool,
    get root() {
      return database;
    },
    kysely,
    renew: statements.renew,
    async alone(run) {
      const client = new pg.Client({ ...connection, connectionString: options.directUrl ?? url });
      client.on('error', (error) => closing || log.warn(`A database connection broke: ${error.message}`));
      const end = () => void client.end().catch(() => undefined);
      await client.connect();
      apart.add(end);
      try {
        return await run(client);
      } finally {
        apart.delete(end);
        end();
      }
    },
    async named(statement, trx) {
      if (trx) return (await trx.executeQuery<Row>(CompiledQuery.raw(statement.sql, [...statement.parameters]))).rows;
      const session = await openSession();
      try {
        return (await session.query(statement.sql, statement.parameters)).rows as Row[];
      } finally {
        session.release();
      }
    },
    async namedAsJson(statement, writers) {
      const session = await openSession();
      try {
        const result = await session.query(statement.sql, statement.parameters, asTexts);
        return jsonRows(result as unknown as pg.QueryArrayResult, writers);
      } finally {
        session.release();
      }
    },
    async transaction(run) {
      const calls: (() => void)[] = [];
      const result = await kysely.transaction().execute(async (trx) => {
        waiting.set(trx, calls);
        return run(trx);
      });
      calls.forEach(called);
      return result;
    },
    afterCommit(trx, call) {
      const calls = waiting.get(trx);
      if (!calls) throw new Error('afterCommit needs a transaction of Database.transaction.');
      calls.push(call);
    },
    afterWrite(call, trx) {
      if (trx) database.afterCommit(trx, call);
      else call();
    },
    async notify(channel, payload, trx = kysely) {
      await trx.executeQuery(CompiledQuery.raw('select pg_notify($1, $2)', [channel, payload]));
    },
    listen: notifications.listen,
    listening: notifications.isAlive,
    async close() {
      await notifications.close();
      await kysely.destroy();
      closing = true;
      for (const end of apart) end();
      await pool.end();
      // The pool has said goodbye by now; a database that stops next is not to meet connections that are still open.
      await Promise.race([Promise.all([...open].map(ended)), wait(FAREWELL, undefined, { ref: false })]);
    },
  };
  return database;
}
