import { createHash } from 'node:crypto';
import { LRUCache } from 'lru-cache';
import type pg from 'pg';
import { NoAnswer, OutcomeUnknown } from '../errors/errors';
import { runDescribed } from './described-query';
import type { ResultForm } from './json-rows';
import { isLostConnection, isUnsent, ofDatabase } from './faults';
import { limitSetBy, writeTimeout } from './timeouts';

/** A statement with its parameters, as Kysely compiles it. */
export interface Statement {
  readonly sql: string;
  readonly parameters: readonly unknown[];
}

/** A pooled connection as Kysely wants it. */
export interface Session {
  query(sql: string, parameters?: readonly unknown[], form?: ResultForm): Promise<pg.QueryResult>;
  release(): void;
}

/**
 * At the end of a statement: it is planned for its values each time. A plan for any values that are searched for may read
 * the rows of a whole company beside the few that the text is found in.
 */
export const plannedForValues = '/* planned for its values */';

const KNOWN_TEXTS = 5_000;
const PREPARED_PER_CONNECTION = 400;

/** PostgreSQL's word for a plan whose tables have changed. */
const OUTDATED_PLAN = '0A000';

/**
 * Gives out connections on which every statement that comes a second time is prepared under a name, three to ten times
 * quicker than without. Bounded on both sides: a connection that has learnt many statements is closed when it comes
 * back. After `renew` every connection forgets what it learnt before it is given out again, since plans do not survive
 * a changed table. `onUnknown` is called when a connection is lost after a change was sent for good. Without `prepare`
 * nothing is: behind a pooler the next statement may come to another session.
 */
export function namedStatements(
  pool: pg.Pool,
  { onUnknown, patience, prepare }: Pick<Surroundings, 'onUnknown' | 'patience'> & { readonly prepare: boolean },
): { session(): Promise<Session>; renew(): void } {
  const names = new LRUCache<string, string>({ max: KNOWN_TEXTS });
  const sessions = new WeakMap<pg.PoolClient, ClientSession>();
  let generation = 0;

  /** The name of a text; undefined the first time, since many texts come only once. */
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
      const client = await pool.connect().catch((error: unknown) => Promise.reject(ofDatabase(error)));
      let session = sessions.get(client);
      if (!session)
        sessions.set(client, (session = new ClientSession(client, { nameOf, renew, onUnknown, patience }, generation)));
      await session.forgetBefore(generation);
      return session;
    },
  };
}

interface Surroundings {
  readonly nameOf: (sql: string) => string | undefined;
  readonly renew: () => void;
  readonly onUnknown: () => void;
  /** Milliseconds after which a statement without a limit of its own is given up, and its connection with it. */
  readonly patience: number;
}

/** The driver's connection, as far as its types leave it out. */
type Connection = pg.PoolClient & { readonly connection: { readonly stream: { destroy(error: Error): void } } };

class ClientSession implements Session {
  /** What was prepared, by name, with the columns that it answers with once these are known. */
  private readonly prepared = new Map<string, readonly pg.FieldDef[] | undefined>();
  private readonly client: Connection;
  private inTransaction = false;
  private lost = false;
  private limit: number;

  constructor(
    client: pg.PoolClient,
    private readonly around: Surroundings,
    private generation: number,
  ) {
    this.client = client as Connection;
    this.limit = around.patience;
  }

  /** Forgets what was learnt before a generation. Throws, and gives the connection back, where that cannot be had. */
  async forgetBefore(generation: number): Promise<void> {
    if (this.generation === generation) return;
    try {
      if (this.prepared.size > 0) await this.answered(this.client.query('deallocate all'));
      this.generation = generation;
    } catch (error) {
      this.client.release(true);
      throw error;
    }
  }

  query(sql: string, parameters: readonly unknown[] = [], form?: ResultForm): Promise<pg.QueryResult> {
    if (worthPreparing(sql)) return this.run(sql, parameters, form);
    if (/^(begin|start transaction)\b/i.test(sql)) return this.begin(sql);
    if (/^commit\b/i.test(sql)) return this.commit(sql);
    if (/^rollback$/i.test(sql)) return this.rollback(sql);
    this.limit = Math.max(this.limit, limitSetBy(sql));
    return this.answered(this.client.query(sql, parameters as unknown[]));
  }

  release(): void {
    this.client.release(this.lost || this.inTransaction || this.prepared.size > PREPARED_PER_CONNECTION);
  }

  private async run(sql: string, parameters: readonly unknown[], form?: ResultForm): Promise<pg.QueryResult> {
    try {
      return await this.answered(this.send(sql, parameters, form));
    } catch (error) {
      // Another server may have changed the table, and tells of it a moment later.
      if ((error as { code?: string }).code === OUTDATED_PLAN) this.around.renew();
      // Outside a transaction a statement commits by itself.
      if (!this.inTransaction && !isReading(sql)) throw this.unlessUnknown(error);
      throw error;
    }
  }

  private async send(sql: string, parameters: readonly unknown[], form?: ResultForm): Promise<pg.QueryResult> {
    const known = sql.endsWith(plannedForValues) ? undefined : this.around.nameOf(sql);
    const asked = { text: sql, values: parameters as unknown[], ...form };
    if (!known) return this.client.query(asked);
    // What was forgotten goes on being known to the driver, so that it may not come back under its name.
    const name = `${this.generation}-${known}`;
    const columns = this.prepared.get(name);
    if (columns) return runDescribed(this.client, { name, ...asked, columns });
    this.prepared.set(name, undefined);
    const result = await this.client.query({ name, ...asked });
    if (result.fields.length > 0) this.prepared.set(name, result.fields);
    return result;
  }

  /** Begins with the time limits of writes, on the same way to the server. */
  private async begin(sql: string): Promise<pg.QueryResult> {
    const both = (await this.answered(
      this.client.query(`${sql}; set local statement_timeout = ${writeTimeout}`),
    )) as unknown as pg.QueryResult[];
    this.inTransaction = true;
    this.limit = Math.max(this.limit, limitSetBy(`set local statement_timeout = ${writeTimeout}`));
    return both[0]!;
  }

  private async commit(sql: string): Promise<pg.QueryResult> {
    try {
      const result = await this.answered(this.client.query(sql));
      this.ended();
      // PostgreSQL answers so, and reports no error, where a statement had failed and its error was dropped.
      if (result.command !== 'COMMIT') throw new Error('A transaction with a failed statement was to be committed.');
      return result;
    } catch (error) {
      throw this.unlessUnknown(error);
    }
  }

  /** Never fails: a transaction ends with its connection, and the error that led here is the one to report. */
  private async rollback(sql: string): Promise<pg.QueryResult> {
    try {
      const result = await this.answered(this.client.query(sql));
      this.ended();
      return result;
    } catch {
      return { command: 'ROLLBACK', rowCount: 0, oid: 0, fields: [], rows: [] };
    }
  }

  private ended(): void {
    this.inTransaction = false;
    this.limit = this.around.patience;
  }

  /** The error, or that nobody knows what became of a change which was sent for good. */
  private unlessUnknown(error: unknown): unknown {
    if (!isLostConnection(error) || isUnsent(error)) return error;
    this.around.onUnknown();
    return new OutcomeUnknown({ cause: error });
  }

  /** An answer, or the end of a connection that brings none: PostgreSQL's own limits do not help where it is silent. */
  private async answered<T>(answer: Promise<T>): Promise<T> {
    const end = () => this.client.connection.stream.destroy(new NoAnswer());
    const timer = this.limit === Infinity ? undefined : setTimeout(end, this.limit);
    try {
      return await answer;
    } catch (error) {
      this.lost ||= isLostConnection(error);
      throw ofDatabase(error);
    } finally {
      clearTimeout(timer);
    }
  }
}

function worthPreparing(sql: string): boolean {
  return /^\s*(select|with|insert|update|delete)\b/i.test(sql);
}

/** Whether a statement changes nothing. A `with` may have a change in any of its parts. */
function isReading(sql: string): boolean {
  if (/^\s*select\b/i.test(sql)) return true;
  return /^\s*with\b/i.test(sql) && !/\b(insert\s+into|update|delete\s+from)\b/i.test(sql);
}
