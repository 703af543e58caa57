import { setTimeout as wait } from 'node:timers/promises';
import pg from 'pg';
import type { Logger } from 'pino';
import { idleTimeout, lockTimeout } from './timeouts';
import { valueTypes } from './value-parsers';

/** Connection options of a database. */
export interface DatabaseOptions {
  readonly connections?: number;
  /** Milliseconds for a statement outside a transaction. */
  readonly readTimeout?: number;
  /** Milliseconds after which a statement is logged as slow; 0: never. */
  readonly slowAfter?: number;
  /**
   * The same database without the connection pooler at `url`, for the connection that receives notifications. With it,
   * nothing on the pool outlives its transaction: no prepared statement and no session setting (`checkSessions` checks
   * those).
   */
  readonly directUrl?: string;
  /** Servers that replicate the database, for requests that only read. */
  readonly readUrls?: readonly string[];
}

/** Connections of the pool; one more is used for notifications, and these for independent statements. */
const defaultConnections = 20;
/** Opened when they are needed: an independent statement takes less than a millisecond, unless it waits for a lock. */
const independentConnections = 2;
/** Milliseconds: whoever waits for a lock lets others have the connection in between. */
const independentLockTimeout = 100;
/** Milliseconds to wait for a connection, new or pooled. */
const CONNECT_TIMEOUT = 5_000;
/** Milliseconds to wait until the server has closed its side of the connections. */
const CLOSE_TIMEOUT = 2_000;

/** The connections of a server to its database. */
export class Connections {
  readonly pool: pg.Pool;
  readonly independentPool: pg.Pool;
  /** How to connect without a pooler. */
  readonly direct: pg.ClientConfig;
  private readonly open = new Set<pg.PoolClient>();
  private readonly directEnds = new Set<() => void>();
  private isClosing = false;

  constructor(
    url: string,
    longestRead: number,
    private readonly log: Logger,
    options: DatabaseOptions,
  ) {
    const connection: pg.ClientConfig = {
      connectionString: url,
      application_name: 'assay',
      types: valueTypes,
      connectionTimeoutMillis: CONNECT_TIMEOUT,
      keepAlive: true,
      keepAliveInitialDelayMillis: 10_000,
    };
    const limits = {
      statement_timeout: longestRead,
      lock_timeout: lockTimeout,
      idle_in_transaction_session_timeout: idleTimeout,
    };
    const formats = '-c TimeZone=UTC -c DateStyle=ISO';
    this.direct = { ...connection, connectionString: options.directUrl ?? url };
    this.pool = new pg.Pool({
      ...connection,
      max: options.connections ?? defaultConnections,
      idleTimeoutMillis: 60_000,
      // A connection pooler refuses session settings.
      ...(options.directUrl === undefined && { ...limits, options: formats }),
    });
    // Behind a pooler, transactions that hold all its sessions would wait for a statement that waits for one of them.
    this.independentPool = new pg.Pool({
      ...this.direct,
      ...limits,
      lock_timeout: independentLockTimeout,
      max: independentConnections,
      idleTimeoutMillis: 60_000,
      options: `${formats} -c synchronous_commit=off`,
    });
    for (const pool of [this.pool, this.independentPool]) this.watch(pool);
  }

  /** Runs something on a connection of its own, which is closed afterwards. */
  async withDirect<T>(run: (client: pg.Client) => Promise<T>): Promise<T> {
    const client = new pg.Client(this.direct);
    client.on('error', (error) => this.warn(`A database connection broke: ${error.message}`));
    const end = () => void client.end().catch(() => undefined);
    await client.connect();
    this.directEnds.add(end);
    try {
      return await run(client);
    } finally {
      this.directEnds.delete(end);
      end();
    }
  }

  async close(): Promise<void> {
    this.isClosing = true;
    for (const end of this.directEnds) end();
    await Promise.all([this.pool.end(), this.independentPool.end()]);
    // The pool has closed its connections, but a database that stops next should not see open ones.
    const allEnded = Promise.all([...this.open].map(whenEnded));
    await Promise.race([allEnded, wait(CLOSE_TIMEOUT, undefined, { ref: false })]);
  }

  private watch(pool: pg.Pool): void {
    pool.on('error', (error) => this.warn(`A database connection was lost: ${error.message}`));
    pool.on('connect', (client) => {
      this.open.add(client);
      client.once('end', () => this.open.delete(client));
      // Without a listener, a connection that breaks while checked out but idle would end the process.
      client.on('error', (error) => this.warn(`A database connection broke: ${error.message}`));
    });
  }

  private warn(message: string): void {
    if (!this.isClosing) this.log.warn(message);
  }
}

const whenEnded = (client: pg.PoolClient) => new Promise<void>((resolve) => client.once('end', resolve));
