import { createHash } from 'node:crypto';
import type pg from 'pg';
import { currentRequest } from '../requests/current-request';
import { addWork, countWork } from '../requests/work-time';
import { DatabaseTimeout, OutcomeUnknown } from '../errors/errors';
import { runDescribed } from './described-query';
import type { ResultFormat } from './json-rows';
import { isLostConnection, isUnsent, markDatabaseError } from './database-errors';
import { createByteCache } from '../limits/byte-cache';
import { timeoutSetBy, writeTimeout } from './timeouts';
import { firstOf } from '../../engine/values/lookups';

/** A statement with its parameters, as compiled by Kysely. */
export interface Statement {
  readonly sql: string;
  readonly parameters: readonly unknown[];
  /** The places of parameters with the time of the request, by which results may be told apart less exactly. */
  readonly instants?: readonly number[];
}

/** A pooled connection in the form that Kysely expects. */
export interface Session {
  query(sql: string, parameters?: readonly unknown[], form?: ResultFormat): Promise<pg.QueryResult>;
  release(): void;
}

/**
 * Marks the end of a statement that PostgreSQL should plan for its values each time. A generic plan for a search may
 * read all rows of a company instead of the few that contain the text.
 */
export const replanMarker = '/* planned for its values */';

const MAX_KNOWN_STATEMENT_BYTES = 12_000_000;
const MAX_PREPARED = 400;

/** PostgreSQL's code for a plan whose tables have changed. */
const OUTDATED_PLAN = '0A000';

/**
 * Returns connections on which every repeated statement is prepared under a name, which is three to ten times faster.
 * Bounded on both sides: a connection with too many prepared statements is closed when it is released. After `renew`
 * every connection forgets its prepared statements before its next use, because plans do not survive a changed table.
 * `onUnknown` is called if a connection is lost after a change was sent. Without `prepare` nothing is prepared: behind
 * a pooler the next statement may reach another session.
 */
export function createPreparedSessions(
  pool: pg.Pool,
  { prepare, ...options }: Omit<SessionOptions, 'statementName' | 'renew'> & { readonly prepare: boolean },
): { session(): Promise<Session>; renew(): void } {
  const names = createByteCache<string>(MAX_KNOWN_STATEMENT_BYTES);
  const sessions = new WeakMap<pg.PoolClient, ClientSession>();
  let generation = 0;

  /** The name of a statement; undefined the first time, since many statements run only once. */
  const nameOf = (sql: string): string | undefined => {
    if (!prepare) return undefined;
    let name = names.get(sql);
    if (name === undefined) names.set(sql, '');
    else if (name === '') names.set(sql, (name = createHash('sha1').update(sql).digest('base64url')));
    return name;
  };

  const renew = (): void => {
    generation++;
    names.clear();
  };

  return {
    renew,
    async session() {
      const client = await pool.connect().catch((error: unknown) => Promise.reject(markDatabaseError(error)));
      let session = sessions.get(client);
      if (!session)
        sessions.set(
          client,
          (session = new ClientSession(client, { statementName: nameOf, renew, ...options }, generation)),
        );
      await session.forgetPreparedBefore(generation);
      return session;
    },
  };
}

interface SessionOptions {
  readonly statementName: (sql: string) => string | undefined;
  readonly renew: () => void;
  readonly onUnknown: () => void;
  /** Milliseconds after which a statement without its own limit is given up, along with its connection. */
  readonly patience: number;
  /** The connections of the pool. */
  readonly connections: number;
}

/** The driver's connection, with what its types leave out. */
type Connection = pg.PoolClient & { readonly connection: { readonly stream: { destroy(error: Error): void } } };

class ClientSession implements Session {
  /** Prepared statements by name, with their result columns once known. */
  private readonly prepared = new Map<string, readonly pg.FieldDef[] | undefined>();
  private readonly client: Connection;
  private inTransaction = false;
  private lost = false;
  private limit: number;

  constructor(
    client: pg.PoolClient,
    private readonly options: SessionOptions,
    private generation: number,
  ) {
    this.client = client as Connection;
    this.limit = options.patience;
  }

  /** Forgets statements prepared before a generation. Throws and discards the connection if that fails. */
  async forgetPreparedBefore(generation: number): Promise<void> {
    if (this.generation === generation) return;
    try {
      if (this.prepared.size > 0) await this.withTimeout(this.client.query('deallocate all'));
      this.generation = generation;
    } catch (error) {
      this.client.release(true);
      throw error;
    }
  }

  query(sql: string, parameters: readonly unknown[] = [], form?: ResultFormat): Promise<pg.QueryResult> {
    if (isPreparable(sql)) return this.run(sql, parameters, form);
    if (/^(begin|start transaction)\b/i.test(sql)) return this.begin(sql);
    if (/^commit\b/i.test(sql)) return this.commit(sql);
    if (/^rollback$/i.test(sql)) return this.rollback(sql);
    this.limit = Math.max(this.limit, timeoutSetBy(sql));
    return this.withTimeout(this.client.query(sql, parameters as unknown[]));
  }

  release(): void {
    this.client.release(this.lost || this.inTransaction || this.prepared.size > MAX_PREPARED);
  }

  private async run(sql: string, parameters: readonly unknown[], form?: ResultFormat): Promise<pg.QueryResult> {
    try {
      return await this.withTimeout(this.send(sql, parameters, form));
    } catch (error) {
      // Another server may have changed the table and announces it a moment later.
      if ((error as { code?: string }).code === OUTDATED_PLAN) this.options.renew();
      // Outside a transaction, a statement commits by itself.
      if (!this.inTransaction && !isReadOnly(sql)) throw this.toOutcomeError(error);
      throw error;
    }
  }

  private async send(sql: string, parameters: readonly unknown[], form?: ResultFormat): Promise<pg.QueryResult> {
    const statementName = sql.endsWith(replanMarker) ? undefined : this.options.statementName(sql);
    const queryConfig = { text: sql, values: parameters as unknown[], ...form };
    if (!statementName) return this.client.query(queryConfig);
    // The driver remembers forgotten names, so a statement must not get the same name again.
    const name = `${this.generation}-${statementName}`;
    const columns = this.prepared.get(name);
    if (columns) return runDescribed(this.client, { name, ...queryConfig, columns });
    this.prepared.set(name, undefined);
    const result = await this.client.query({ name, ...queryConfig });
    if (result.fields.length > 0) this.prepared.set(name, result.fields);
    return result;
  }

  /** Begins a transaction and sets the time limit for writes in the same round trip. */
  private async begin(sql: string): Promise<pg.QueryResult> {
    const results = (await this.withTimeout(
      this.client.query(`${sql}; set local statement_timeout = ${writeTimeout}`),
    )) as unknown as pg.QueryResult[];
    this.inTransaction = true;
    this.limit = Math.max(this.limit, timeoutSetBy(`set local statement_timeout = ${writeTimeout}`));
    return firstOf(results);
  }

  private async commit(sql: string): Promise<pg.QueryResult> {
    try {
      const result = await this.withTimeout(this.client.query(sql));
      this.ended();
      // PostgreSQL returns ROLLBACK without an error if a statement had failed and its error was ignored.
      if (result.command !== 'COMMIT') throw new Error('Tried to commit a transaction with a failed statement.');
      return result;
    } catch (error) {
      throw this.toOutcomeError(error);
    }
  }

  /** Never fails: a transaction ends with its connection, and the original error is the one to report. */
  private async rollback(sql: string): Promise<pg.QueryResult> {
    try {
      const result = await this.withTimeout(this.client.query(sql));
      this.ended();
      return result;
    } catch {
      return { command: 'ROLLBACK', rowCount: 0, oid: 0, fields: [], rows: [] };
    }
  }

  private ended(): void {
    this.inTransaction = false;
    this.limit = this.options.patience;
  }

  /** The error, or OutcomeUnknown if a change was sent and its result is unknown. */
  private toOutcomeError(error: unknown): unknown {
    if (!isLostConnection(error) || isUnsent(error)) return error;
    this.options.onUnknown();
    return new OutcomeUnknown({ cause: error });
  }

  /** Waits for a response, or destroys the connection: PostgreSQL's own limits do not help if the server is silent. */
  private async withTimeout<T>(answer: Promise<T>): Promise<T> {
    const end = () => this.client.connection.stream.destroy(new DatabaseTimeout());
    const timer = this.limit === Infinity ? undefined : setTimeout(end, this.limit);
    const account = currentRequest()?.account;
    const startTime = performance.now();
    try {
      return await answer;
    } catch (error) {
      this.lost ||= isLostConnection(error);
      throw markDatabaseError(error);
    } finally {
      clearTimeout(timer);
      // A company that uses every connection has used all of the database.
      if (account) addWork(account, (performance.now() - startTime) / this.options.connections);
      countWork(account);
    }
  }
}

function isPreparable(sql: string): boolean {
  return /^\s*(select|with|insert|update|delete)\b/i.test(sql);
}

/** Whether a statement only reads. A `with` may contain changes in any of its parts. */
export function isReadOnly(sql: string): boolean {
  if (/^\s*select\b/i.test(sql)) return true;
  return /^\s*with\b/i.test(sql) && !/\b(insert\s+into|update|delete\s+from)\b/i.test(sql);
}
