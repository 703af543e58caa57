import pg from 'pg';
import { destroyConnection } from './destroy-connection';
import { oneRow } from './one-row';

/** A problem, to follow the words "the database"; undefined if it accepts writes. */
export type DatabaseTrouble = string | undefined;

/** Checks whether a database accepts writes, on a separate connection that no other work waits for. */
export interface Probe {
  /** Responds within `limit`, and from a cache for a second, so that frequent checks cost the database nothing. */
  trouble(): Promise<DatabaseTrouble>;
  /** The rows of a reading statement; undefined if it fails or takes longer than `limit`. */
  queryRows<T>(sql: string): Promise<readonly T[] | undefined>;
  close(): Promise<void>;
}

const cacheLifetime = 1_000;
/** Milliseconds after which the connection is reopened, so that problems of new connections are noticed too. */
const maxConnectionAge = 30_000;

/**
 * Writes a few bytes to the write-ahead log, which every commit writes to: this detects a full, frozen or hanging disk
 * and a synchronous standby that does not confirm, without touching a table. Read-only settings do not prevent this
 * write, so they are queried: of the server, of this session, and for future sessions.
 */
const probeStatement = `
  select pg_is_in_recovery() or current_setting('transaction_read_only') = 'on' or exists (
      select from pg_db_role_setting
      where setdatabase in (0, (select oid from pg_database where datname = current_database()))
        and setrole in (0, (select oid from pg_roles where rolname = current_user))
        and exists (select from unnest(setconfig) one where one ~* '^default_transaction_read_only=(on|true|yes|1)$')
    ) as read_only,
    case when pg_is_in_recovery() then null else pg_logical_emit_message(true, 'assay', '')::text end as written`;

/** A probe of the database at a `postgres://…` address. Connects with the first check. */
export function openProbe(url: string, limit = 2_000): Probe {
  let client: { readonly open: pg.Client; readonly since: number } | undefined;
  let lastResult: { readonly trouble: DatabaseTrouble; readonly until: number } | undefined;
  let pendingProbe: Promise<DatabaseTrouble> | undefined;

  function openClient(): pg.Client {
    if (client && Date.now() - client.since > maxConnectionAge) drop();
    client ??= connect(url, limit);
    return client.open;
  }

  async function ask(): Promise<DatabaseTrouble> {
    const timeoutTrouble = `does not respond within ${limit / 1_000} seconds`;
    const connectionTrouble = await withTimeout(limit, run(openClient()).catch(describeError), timeoutTrouble);
    if (connectionTrouble !== undefined) drop();
    lastResult = { trouble: connectionTrouble, until: Date.now() + cacheLifetime };
    return connectionTrouble;
  }

  async function run(open: pg.Client): Promise<DatabaseTrouble> {
    await connected(open);
    const row = oneRow(await open.query<{ read_only: boolean }>(probeStatement));
    return row.read_only ? 'is read-only' : undefined;
  }

  function drop(): void {
    // An unresponsive server gets no goodbye.
    if (client) destroyConnection(client.open);
    client = undefined;
  }

  return {
    trouble() {
      if (lastResult && lastResult.until > Date.now()) return Promise.resolve(lastResult.trouble);
      return (pendingProbe ??= ask().finally(() => {
        pendingProbe = undefined;
      }));
    },
    async queryRows<T>(sql: string) {
      const open = openClient();
      const read = connected(open).then(async () => (await open.query(sql)).rows as T[]);
      const rows = await withTimeout(
        limit,
        read.catch(() => undefined),
        undefined,
      );
      if (rows === undefined) drop();
      return rows;
    },
    async close() {
      drop();
      await pendingProbe;
      drop();
    },
  };
}

async function withTimeout<T>(limit: number, answer: Promise<T>, timeoutResult: T): Promise<T> {
  let timer: NodeJS.Timeout | undefined;
  const end = new Promise<T>((resolve) => {
    timer = setTimeout(resolve, limit, timeoutResult);
  });
  const first = await Promise.race([answer, end]);
  clearTimeout(timer);
  return first;
}

const connecting = new WeakMap<pg.Client, Promise<unknown>>();

function connect(url: string, limit: number): { open: pg.Client; since: number } {
  const open = new pg.Client({
    connectionString: url,
    application_name: 'assay health',
    connectionTimeoutMillis: limit,
    keepAlive: true,
  });
  // The next check reports the error.
  open.on('error', () => undefined);
  const connectionAttempt = open.connect();
  connectionAttempt.catch(() => undefined);
  connecting.set(open, connectionAttempt);
  return { open, since: Date.now() };
}

async function connected(open: pg.Client): Promise<void> {
  await connecting.get(open);
}

/** Descriptions without addresses, names and passwords: health is public. */
function describeError(error: unknown): DatabaseTrouble {
  const { code = '' } = error as { code?: string };
  if (code === '25006') return 'is read-only';
  if (code === '57P03') return 'is starting or stopping';
  if (code === '53300') return 'has no free connections';
  if (code === '53100') return 'has no space left on its disk';
  if (code.startsWith('28')) return 'rejects the credentials of this program';
  return 'cannot be reached';
}
