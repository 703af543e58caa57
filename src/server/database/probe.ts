import pg from 'pg';
import { hangUp } from './hang-up';

/** What is wrong with a database in words that follow "the database"; undefined where it takes writes. */
export type Trouble = string | undefined;

/** Asks a database whether it takes writes, on a connection of its own that no other work waits for. */
export interface Probe {
  /** Answers within `limit`, and from memory for a second: whoever asks often costs the database nothing. */
  trouble(): Promise<Trouble>;
  /** The rows of a statement that reads; undefined where it fails or takes longer than `limit`. */
  rows<T>(sql: string): Promise<readonly T[] | undefined>;
  close(): Promise<void>;
}

const remembered = 1_000;
/** Milliseconds after which the connection is opened again: what new connections meet is noticed too. */
const longestUse = 30_000;

/**
 * Writes a few bytes to the log of changes that every commit writes to, so that a full, frozen or hanging disk and a
 * synchronous standby that does not confirm are noticed; no table is touched. Read-only settings do not hinder this
 * write, so they are asked for: of the server, of this session, and for sessions to come.
 */
const statement = `
  select pg_is_in_recovery() or current_setting('transaction_read_only') = 'on' or exists (
      select from pg_db_role_setting
      where setdatabase in (0, (select oid from pg_database where datname = current_database()))
        and setrole in (0, (select oid from pg_roles where rolname = current_user))
        and exists (select from unnest(setconfig) one where one ~* '^default_transaction_read_only=(on|true|yes|1)$')
    ) as read_only,
    case when pg_is_in_recovery() then null else pg_logical_emit_message(true, 'assay', '')::text end as written`;

/** A probe of the database at a `postgres://…` address; nothing is connected before it is asked. */
export function openProbe(url: string, limit = 2_000): Probe {
  let client: { readonly open: pg.Client; readonly since: number } | undefined;
  let known: { readonly trouble: Trouble; readonly until: number } | undefined;
  let asking: Promise<Trouble> | undefined;

  function opened(): pg.Client {
    if (client && Date.now() - client.since > longestUse) drop();
    client ??= connect(url, limit);
    return client.open;
  }

  async function ask(): Promise<Trouble> {
    const late = `does not answer within ${limit / 1_000} seconds`;
    const trouble = await within(limit, run(opened()).catch(inWords), late);
    if (trouble !== undefined) drop();
    known = { trouble, until: Date.now() + remembered };
    return trouble;
  }

  async function run(open: pg.Client): Promise<Trouble> {
    await connected(open);
    const { rows } = await open.query<{ read_only: boolean }>(statement);
    return rows[0]!.read_only ? 'is read-only' : undefined;
  }

  function drop(): void {
    // Whoever does not answer is not said goodbye to.
    if (client) hangUp(client.open);
    client = undefined;
  }

  return {
    trouble() {
      if (known && known.until > Date.now()) return Promise.resolve(known.trouble);
      return (asking ??= ask().finally(() => {
        asking = undefined;
      }));
    },
    async rows<T>(sql: string) {
      const open = opened();
      const read = connected(open).then(async () => (await open.query(sql)).rows as T[]);
      const rows = await within(
        limit,
        read.catch(() => undefined),
        undefined,
      );
      if (rows === undefined) drop();
      return rows;
    },
    async close() {
      drop();
      await asking;
      drop();
    },
  };
}

async function within<T>(limit: number, answer: Promise<T>, late: T): Promise<T> {
  let timer: NodeJS.Timeout | undefined;
  const end = new Promise<T>((done) => {
    timer = setTimeout(done, limit, late);
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
  // What breaks it is said by the next question.
  open.on('error', () => undefined);
  const opened = open.connect();
  opened.catch(() => undefined);
  connecting.set(open, opened);
  return { open, since: Date.now() };
}

async function connected(open: pg.Client): Promise<void> {
  await connecting.get(open);
}

/** Reasons without addresses, names and passwords: health is answered to everybody. */
function inWords(error: unknown): Trouble {
  const { code = '' } = error as { code?: string };
  if (code === '25006') return 'is read-only';
  if (code === '57P03') return 'is starting or stopping';
  if (code === '53300') return 'has no connection left';
  if (code === '53100') return 'has no space left on its disk';
  if (code.startsWith('28')) return 'refuses the sign-in of this program';
  return 'cannot be reached';
}
