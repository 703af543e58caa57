// @module-tag slow
import { randomInt } from 'node:crypto';
import { sql } from 'kysely';
import pg from 'pg';
import pino from 'pino';
import { afterAll, beforeAll, describe, expect, inject, test, vi } from 'vitest';
import { openDatabase, type Database } from '../../../src/server/database/database';
import { databaseProblem } from '../../../src/server/database/database-errors';
import { repeatOnPrimary, type ReplicaCounts } from '../../../src/server/database/replicas';
import { runInRequest } from '../../../src/server/requests/current-request';
import { accounts, startFixtureProgram, type Client, type DemoProgram } from '../../support/program';
import type { TestDatabase } from '../../support/database';
import { startPrimary, type PrimaryServer, type ReplicaServer } from '../../support/replicas';

// A read of a replica has to see whatever was committed before it, by whichever server and whoever, as one of the primary
// does. The replica replays each commit some milliseconds late, so that a read that did not wait would be stale.

let primary: PrimaryServer;
let replica: ReplicaServer;
let servers: readonly DemoProgram[];
let callers: readonly (readonly Client[])[];

const onPrimary = (url: string): TestDatabase => ({ url }) as TestDatabase;
const start = (readUrl: string) =>
  startFixtureProgram({ database: onPrimary(primary.url), env: { DATABASE_READ_URL: readUrl } });

beforeAll(async () => {
  primary = await startPrimary();
  const first = await startFixtureProgram({ database: onPrimary(primary.url) });
  await first.close();
  replica = await primary.addReplica({ recovery_min_apply_delay: '10ms' });
  servers = [await start(replica.url), await start(replica.url)];
  const people = [accounts.owner, accounts.admin];
  callers = await Promise.all(people.map((email) => Promise.all(servers.map((server) => server.signIn(email)))));
  await vi.waitFor(() => servers.forEach((server) => expect(usedReplicas(server)).toBe(1)));
});
afterAll(async () => {
  for (const server of servers ?? []) await server.close();
  await primary?.close();
});

const countsOf = ({ program }: DemoProgram): ReplicaCounts => program.database.replicas!.counts;
const usedReplicas = (server: DemoProgram) => Object.values(countsOf(server).used).reduce<number>((a, b) => a + b, 0);
/** Reads that the replica answered, and the primary, on all servers. */
function answered(): { replica: number; primary: number; repeated: number } {
  const counts = servers.map(countsOf);
  const all = counts.flatMap(({ reads }) => Object.values(reads)).reduce((a, b) => a + b, 0);
  const byPrimary = counts.reduce((sum, { reads }) => sum + (reads.primary ?? 0), 0);
  return {
    replica: all - byPrimary,
    primary: byPrimary,
    repeated: counts.reduce((sum, { repeated }) => sum + repeated, 0),
  };
}

const pick = <T>(list: readonly T[]): T => list[randomInt(list.length)]!;

interface Named {
  readonly id: number;
  readonly option_name: string;
}

/**
 * Creates, changes and deletes records of its own at random, each call through any server, and reads after each write in
 * one of several ways. What a server keeps of totals and searches is read where the write was made: it learns of those of
 * other servers a moment later, with or without replicas. Returns what was stale, and what failed.
 */
async function writeAndRead(worker: number, isDone: (calls: number) => boolean): Promise<readonly string[]> {
  const faults: string[] = [];
  const storedNames = new Map<number, string>();
  const prefix = `worker ${worker} `;
  const serverCalls = callers[worker % callers.length]!;
  let calls = 0;
  let writer = pick(serverCalls);
  const callOn =
    (client: Client): Client =>
    async (...request) => {
      calls++;
      const answer = await client(...request);
      if (answer.status >= 500) faults.push(`${request[0]} ${request[1]}: ${answer.status}`);
      return answer as never;
    };
  const call: Client = (...request) => callOn(pick(serverCalls))(...request);
  const callOfWriter: Client = (...request) => callOn(writer)(...request);
  const reads: (() => Promise<void>)[] = [
    async () => {
      const [id, name] = pick([...storedNames]);
      const { body } = await call<{ data?: Named }>('GET', `/urgencies/${id}`);
      if (body.data?.option_name !== name) faults.push(`record ${id} is ${body.data?.option_name}, not ${name}`);
    },
    async () => {
      const { body } = await call<{ data: Named[] }>('GET', '/urgencies?range=[0,199]&sort=["id","DESC"]');
      const names = body.data.map(({ option_name }) => option_name).filter((name) => name.startsWith(prefix));
      if (names.toSorted().join() !== [...storedNames.values()].toSorted().join())
        faults.push(`the list has ${names.join()}`);
    },
    async () => {
      const path = `/urgencies?q=${encodeURIComponent(prefix)}&range=[0,99]`;
      const { body } = await callOfWriter<{ data: Named[] }>('GET', path);
      const names = body.data.map(({ option_name }) => option_name).toSorted();
      if (names.join() !== [...storedNames.values()].toSorted().join()) faults.push(`the search has ${names.join()}`);
    },
    async () => {
      const path = `/urgencies?q=${encodeURIComponent(prefix)}&range=[0,0]`;
      const { headers } = await callOfWriter('GET', path);
      const total = Number(String(headers['content-range']).split('/')[1]);
      if (total !== storedNames.size) faults.push(`the total is ${total}, not ${storedNames.size}`);
    },
    async () => {
      const { body } = await call<{ data: { count: number }[] }>(
        'GET',
        `/urgencies/aggregate?take=count&q=${encodeURIComponent(prefix)}`,
      );
      if (body.data[0]?.count !== storedNames.size)
        faults.push(`${JSON.stringify(body.data)} are not ${storedNames.size}`);
    },
  ];
  for (let step = 0; !isDone(calls) && faults.length === 0; step++) {
    const option_name = `${prefix}${step}`;
    writer = pick(serverCalls);
    const [id] = storedNames.size > 0 ? pick([...storedNames]) : [0];
    const kind = storedNames.size < 2 ? 0 : storedNames.size > 20 ? 2 : randomInt(3);
    if (kind === 0) {
      const { status, body } = await callOfWriter<{ data: Named }>('POST', '/urgencies', { option_name });
      if (status === 201) storedNames.set(body.data.id, option_name);
    } else if (kind === 1) {
      const { status } = await callOfWriter('PUT', `/urgencies/${id}`, { option_name });
      if (status === 200) storedNames.set(id, option_name);
    } else {
      const { status } = await callOfWriter('DELETE', `/urgencies/${id}`);
      if (status < 300) storedNames.delete(id);
    }
    await pick(reads)();
  }
  for (const id of storedNames.keys()) await call('DELETE', `/urgencies/${id}`);
  return faults;
}

async function readsWhile(act: () => Promise<void>): Promise<readonly string[]> {
  let isOver = false;
  const workers = [0, 1, 2, 3].map((worker) => writeAndRead(worker, () => isOver));
  await act();
  isOver = true;
  return (await Promise.all(workers)).flat();
}

const seconds = (count: number) => new Promise((done) => setTimeout(done, 1_000 * count));

test('10,000 random writes and reads on two servers: none is stale, and most reads are answered by the replica', async () => {
  const before = answered();
  const faults = await Promise.all(
    Array.from({ length: 8 }, (_, worker) => writeAndRead(worker, (calls) => calls >= 1_250)),
  );
  expect(faults.flat()).toEqual([]);
  const after = answered();
  expect(after.replica - before.replica).toBeGreaterThan(2_500);
  expect(after.repeated).toBe(before.repeated);
});

test('what a request that writes reads, sign-ins and access come from the primary', async () => {
  const [owner] = callers[0]!;
  const before = answered();
  const { body } = await owner!<{ data: Named }>('POST', '/urgencies', { option_name: 'Read by the primary' });
  await owner!('PUT', `/urgencies/${body.data.id}`, { option_name: 'Read by the primary again' });
  await owner!('DELETE', `/urgencies/${body.data.id}`);
  await servers[0]!.signIn(accounts.qa);
  await owner!('GET', '/me');
  expect(answered()).toEqual(before);
});

test('a download is a snapshot of the replica, with the latest write in it', async () => {
  const [owner] = callers[0]!;
  const { body } = await owner!<{ data: Named }>('POST', '/urgencies', { option_name: 'In the download' });
  const before = answered();
  await vi.waitFor(async () => {
    expect((await owner!<string>('GET', '/urgencies-export?format=csv')).body).toContain('In the download');
    expect(answered().replica).toBeGreaterThan(before.replica);
  });
  await owner!('DELETE', `/urgencies/${body.data.id}`);
});

/** Loses the connection to the first replica whenever it is sent a statement that begins so. */
function loseConnections({ replicas }: Database, start: string): void {
  const [pool] = replicas!.pools as unknown as { connect(): Promise<Connection> }[];
  const connect = pool!.connect.bind(pool);
  vi.spyOn(pool!, 'connect').mockImplementation(async () => {
    const client = await connect();
    const query = client.query.bind(client);
    client.query = (...statement) => {
      if (typeof statement[0] === 'string' && statement[0].startsWith(start)) client.connection.stream.destroy();
      return query(...statement);
    };
    return client;
  });
}

interface Connection {
  query(...statement: unknown[]): unknown;
  readonly connection: { readonly stream: { destroy(): void } };
}

test.each(['start transaction', 'set local', 'declare', 'fetch'])(
  'a download whose replica is lost at "%s" is answered by the primary',
  async (start) => {
    const [owner] = callers[0]!;
    loseConnections(servers[0]!.program.database, start);
    try {
      const before = answered();
      await vi.waitFor(async () => {
        const { status, body } = await owner!<string>('GET', '/urgencies-export?format=csv');
        expect(status).toBe(200);
        expect(body).toContain('Urgent');
        expect(answered().replica + answered().repeated).toBeGreaterThan(before.replica + before.repeated);
      });
    } finally {
      vi.restoreAllMocks();
    }
  },
);

describe('under load no request fails, and the replica returns by itself', () => {
  test('when the replica is paused', async () => {
    const faults = await readsWhile(async () => {
      await seconds(1);
      replica.pause();
      await vi.waitFor(() => servers.forEach((server) => expect(usedReplicas(server)).toBe(0)));
      const before = answered();
      await seconds(1);
      expect(answered().replica).toBe(before.replica);
      expect(answered().primary).toBeGreaterThan(before.primary);
      replica.resume();
      await vi.waitFor(() => expect(answered().replica).toBeGreaterThan(before.replica));
    });
    expect(faults).toEqual([]);
  });

  test('when the replica is killed', async () => {
    const faults = await readsWhile(async () => {
      await seconds(1);
      const before = answered();
      replica.kill();
      await vi.waitFor(() => servers.forEach((server) => expect(usedReplicas(server)).toBe(0)));
      await vi.waitFor(() => servers.forEach((server) => expect(usedReplicas(server)).toBe(1)));
      const returned = answered();
      expect(returned.primary).toBeGreaterThan(before.primary);
      await vi.waitFor(() => expect(answered().replica).toBeGreaterThan(returned.replica));
    });
    expect(faults).toEqual([]);
  });
});

/** Runs a statement as a request that only reads does. */
const asReader = <T>(run: () => Promise<T>, hasEnded = false) =>
  runInRequest(
    { id: 'reader', method: 'GET', url: '/', address: '127.0.0.1', agent: null, isReading: true, hasEnded },
    run,
  );

describe('statements by themselves', () => {
  const log = pino({ level: 'silent' });
  const endConnections = async (name: string) => {
    const client = new pg.Client(replica.url);
    await client.connect();
    await client.query('select pg_terminate_backend(pid) from pg_stat_activity where application_name = $1', [name]);
    await client.end();
  };
  const open = (readUrls: readonly string[], url = primary.url) => openDatabase(url, log, { readUrls });

  test('one that the replica cancels because of what it replays is repeated on the primary', async () => {
    const strict = await primary.addReplica({ max_standby_streaming_delay: '0', hot_standby_feedback: 'off' });
    const database = open([strict.url]);
    const client = new pg.Client(strict.url);
    try {
      await database.query({ sql: 'create table conflicts as select generate_series(1, 1000) as id', parameters: [] });
      await vi.waitFor(() => expect(Object.values(database.replicas!.counts.used)).toEqual([1]));
      await client.connect();
      const sql = 'select count(*)::integer as total, pg_sleep(2) from conflicts';
      let reading: Promise<unknown> | undefined;
      // Where the replica is late, the primary answers, and it is read once more.
      await vi.waitFor(async () => {
        reading ??= asReader(() => database.query({ sql, parameters: [] })).finally(() => (reading = undefined));
        const { rows } = await client.query(`select from pg_stat_activity where query = $1`, [sql]);
        expect(rows).toHaveLength(1);
      });
      const answer = reading;
      await database.query({ sql: 'truncate conflicts', parameters: [] });
      expect(await answer).toMatchObject([{ total: 0 }]);
      expect(database.replicas!.counts.repeated).toBe(1);
    } finally {
      await client.end();
      await database.close();
    }
  });

  test.each([
    ['writes', `with added as (insert into notes values (1) returning id) select id from added`],
    ['writes in a function', `select nextval('numbers')::integer as id`],
    ['locks rows', 'select id from notes for update'],
    ['takes a lock that others respect', 'select 1 as id, pg_advisory_xact_lock(7)'],
  ])('one that %s runs on the primary', async (_what, sql) => {
    const database = open([replica.url]);
    try {
      await database.query({ sql: 'create table if not exists notes (id integer)', parameters: [] });
      await database.query({ sql: 'create sequence if not exists numbers', parameters: [] });
      await vi.waitFor(() => expect(Object.values(database.replicas!.counts.used)).toEqual([1]));
      await asReader(() => database.query({ sql, parameters: [] }));
      const byReplicas = Object.entries(database.replicas!.counts.reads).filter(([name]) => name !== 'primary');
      expect(byReplicas.map(([, count]) => count)).toEqual([0]);
    } finally {
      await database.close();
    }
  });

  const startReading = ({ kysely }: Database) =>
    asReader(() => kysely.startTransaction().setAccessMode('read only').execute());
  const readsOfReplica = ({ replicas }: Database) =>
    Object.entries(replicas!.counts.reads).reduce((sum, [name, count]) => sum + (name === 'primary' ? 0 : count), 0);
  const isUsed = (database: Database) =>
    vi.waitFor(() => expect(Object.values(database.replicas!.counts.used)).toEqual([1]));

  test('a transaction that cannot begin on the replica begins on the primary', async () => {
    const database = open([replica.url]);
    try {
      await isUsed(database);
      loseConnections(database, 'start transaction');
      await vi.waitFor(async () => {
        const trx = await startReading(database);
        expect((await sql`select pg_is_in_recovery() as replica`.execute(trx)).rows).toEqual([{ replica: false }]);
        await trx.rollback().execute();
        expect(database.replicas!.counts.repeated).toBeGreaterThan(0);
      });
    } finally {
      await database.close();
    }
  });

  test('a replica that is lost in a transaction is a problem of the database', async () => {
    const database = open([replica.url]);
    try {
      await isUsed(database);
      const trx = await vi.waitFor(async () => {
        const transaction = await startReading(database);
        if (readsOfReplica(database) > 0) return transaction;
        await transaction.rollback().execute();
        throw new Error('The primary was faster.');
      });
      const answer = sql`select pg_sleep(3)`.execute(trx).catch((error: unknown) => error);
      await endConnections('assay-position');
      expect(databaseProblem(await answer)).toMatchObject({ retryAfter: 5 });
      await trx
        .rollback()
        .execute()
        .catch(() => undefined);
    } finally {
      await database.close();
    }
  });

  test('a read in a transaction that took too long is not repeated', async () => {
    const database = open([replica.url]);
    let runs = 0;
    const read = async () => {
      runs++;
      const trx = await database.kysely.startTransaction().setAccessMode('read only').execute();
      try {
        await sql.raw('set local statement_timeout = 50').execute(trx);
        await sql`select pg_sleep(30)`.execute(trx);
      } finally {
        await trx.rollback().execute();
      }
    };
    try {
      await isUsed(database);
      await vi.waitFor(async () => {
        runs = 0;
        await expect(asReader(() => repeatOnPrimary(read))).rejects.toMatchObject({ code: '57014' });
        expect(readsOfReplica(database)).toBeGreaterThan(0);
      });
      expect(runs).toBe(1);
    } finally {
      await database.close();
    }
  });

  test('what a request left running when it ended reads from the primary', async () => {
    const database = open([replica.url]);
    try {
      await isUsed(database);
      await asReader(() => database.query({ sql: 'select 1 as one', parameters: [] }), true);
      expect(database.replicas!.counts.reads.primary).toBe(0);
      expect(readsOfReplica(database)).toBe(0);
    } finally {
      await database.close();
    }
  });

  test('an invalid one fails as on the primary', async () => {
    const database = open([replica.url]);
    await vi.waitFor(() => expect(Object.values(database.replicas!.counts.used)).toEqual([1]));
    await expect(asReader(() => database.query({ sql: 'select missing', parameters: [] }))).rejects.toMatchObject({
      code: '42703',
    });
    await database.close();
  });

  test.each([
    ['does not exist', () => 'postgres://assay:secret@127.0.0.1:1/assay'],
    ['replicates another database', () => inject('serverUrl')],
  ])('a replica that %s is left out with a line in the log', async (_what, url) => {
    const lines: string[] = [];
    const listening = pino({ level: 'warn' }, { write: (line: string) => void lines.push(line) });
    const database = openDatabase(primary.url, listening, { readUrls: [url()] });
    try {
      expect(await asReader(() => database.query({ sql: 'select 1 as one', parameters: [] }))).toEqual([{ one: 1 }]);
      await vi.waitFor(() => expect(lines.filter((line) => line.includes('is left out'))).toHaveLength(1));
      expect(database.replicas!.counts).toMatchObject({ reads: { primary: 1 }, repeated: 0 });
      expect(Object.values(database.replicas!.counts.used)).toEqual([0]);
    } finally {
      await database.close();
    }
  });

  test('after another replica was promoted, one that does not follow it is not asked', async () => {
    const [promoted, former] = [await primary.addReplica(), await primary.addReplica()];
    const change = async (url: string, sql: string) => {
      const client = new pg.Client(url);
      await client.connect();
      try {
        await client.query(sql);
      } finally {
        await client.end();
      }
    };
    await change(primary.url, 'create table shared (name text)');
    const ahead = open([former.url]);
    await vi.waitFor(() => expect(Object.values(ahead.replicas!.counts.used)).toEqual([1]));
    // Before it has replayed the table it would promise a database without it.
    await vi.waitFor(() => change(promoted.url, 'select from shared'));
    await change(promoted.url, 'select pg_promote()');
    await change(promoted.url, `insert into shared values ('stored by the new primary')`);
    await change(primary.url, `insert into shared select repeat('lost', 100) from generate_series(1, 10000)`);
    await vi.waitFor(async () => {
      await asReader(() => ahead.query({ sql: 'select count(*) from shared', parameters: [] }));
      expect(Math.max(...Object.values({ ...ahead.replicas!.counts.reads, primary: 0 }))).toBeGreaterThan(0);
    });
    await ahead.close();
    const database = open([former.url], promoted.url);
    try {
      for (let time = 0; time < 3; time++) {
        const rows = await asReader(() => database.query({ sql: 'select distinct name from shared', parameters: [] }));
        expect(rows).toEqual([{ name: 'stored by the new primary' }]);
        await seconds(0.6);
      }
      expect(database.replicas!.counts.reads.primary).toBe(3);
    } finally {
      await database.close();
    }
  });
});
