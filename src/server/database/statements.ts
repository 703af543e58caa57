import { createHash } from 'node:crypto';
import type pg from 'pg';

/** A statement with its parameters, as Kysely compiles it. */
export interface Statement {
  readonly sql: string;
  readonly parameters: readonly unknown[];
}

/** A pooled connection as Kysely wants it. */
export interface Session {
  query(sql: string, parameters?: readonly unknown[]): Promise<pg.QueryResult>;
  release(): void;
}

const KNOWN_TEXTS = 5_000;
const PREPARED_PER_CONNECTION = 400;

/**
 * Gives out connections on which every statement that comes a second time is prepared under a name, three to ten times
 * quicker than without. Bounded on both sides: a connection that has learnt many statements is closed when it comes
 * back, and so is every one that is older than the last `renew`, since plans do not survive a changed table.
 */
export function namedStatements(pool: pg.Pool): { session(): Promise<Session>; renew(): void } {
  const names = new Map<string, string>();
  const sessions = new WeakMap<pg.PoolClient, ClientSession>();
  let generation = 0;

  /** The name of a text; undefined the first time, since many texts come only once. */
  const nameOf = (sql: string): string | undefined => {
    const known = names.get(sql);
    if (known) return known;
    if (known === undefined && names.size >= KNOWN_TEXTS) names.clear();
    names.set(sql, known === undefined ? '' : createHash('sha1').update(sql).digest('base64url'));
    return known === undefined ? undefined : names.get(sql);
  };

  return {
    renew: () => {
      generation++;
      names.clear();
    },
    async session() {
      for (;;) {
        const client = await pool.connect();
        let session = sessions.get(client);
        if (!session) sessions.set(client, (session = new ClientSession(client, nameOf, generation, () => generation)));
        if (session.generation === generation) return session;
        session.release();
      }
    },
  };
}

class ClientSession implements Session {
  private readonly prepared = new Set<string>();

  constructor(
    private readonly client: pg.PoolClient,
    private readonly nameOf: (sql: string) => string | undefined,
    readonly generation: number,
    private readonly current: () => number,
  ) {}

  query(sql: string, parameters: readonly unknown[] = []): Promise<pg.QueryResult> {
    const name = worthPreparing(sql) ? this.nameOf(sql) : undefined;
    if (!name) return this.client.query(sql, parameters as unknown[]);
    this.prepared.add(name);
    return this.client.query({ name, text: sql, values: parameters as unknown[] });
  }

  release(): void {
    this.client.release(this.prepared.size > PREPARED_PER_CONNECTION || this.generation !== this.current());
  }
}

function worthPreparing(sql: string): boolean {
  return /^\s*(select|with|insert|update|delete)\b/i.test(sql);
}
