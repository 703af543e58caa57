// @module-tag slow
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import fc from 'fast-check';
import pg from 'pg';
import pino from 'pino';
import { afterAll, beforeAll, describe, expect, inject, test, vi } from 'vitest';
import type { Source } from '../../../src/engine/language/source';
import { createBackup } from '../../../src/server/backup/backup';
import { restoreBackup } from '../../../src/server/backup/restore';
import { openStorage } from '../../../src/server/files/storage';
import { createTestDatabase, type TestDatabase } from '../../support/database';
import { accounts, startFixtureProgram, type ApiResponse, type Client, type DemoProgram } from '../../support/program';
import { csv, send } from '../imports/files';
import { studioOf } from '../modules/studio';

type Row = Record<string, unknown> & { id: number; key: string };
type Bulk = { readonly data: { readonly created: Row[] } };

let database: TestDatabase;
let servers: DemoProgram[];
/** The owner of the first company, at each server. */
let owners: Client[];
let token: string;

const keyed = (more: object = {}): Source['fields'] => ({
  name: { type: 'text', required: true, unique: 'company' },
  key: { type: 'sequence', format: 'P-{n}', ...more },
  code: { type: 'text', unique: 'installation' },
  topics: { type: 'relations', to: 'topics' },
});

beforeAll(async () => {
  database = await createTestDatabase(inject('fixture'));
  servers = [await startFixtureProgram({ database })];
  const studio = studioOf(await servers[0]!.signIn(accounts.admin));
  await studio.make('topics', { name: {} });
  await studio.make('parts', keyed(), { import: {} });
  await studio.make('bills', keyed({ gapless: true }), { import: {} });
  await studio.make('shelves', { name: { required: true } });
  const shelf_id = { type: 'relation', to: 'shelves', required: true } as const;
  await studio.make('books', { ...keyed({ format: 'B-{n}', partitionBy: 'shelf_id' }), shelf_id });
  servers.push(await startFixtureProgram({ database }));
  owners = await Promise.all(servers.map((server) => server.signIn(accounts.owner)));
  const { body } = await servers[0]!.call<{ token: string }>('POST', '/login', {
    email: accounts.owner,
    password: 'Demo@1234',
  });
  token = body.token;
});
afterAll(async () => {
  for (const server of servers.toReversed()) await server.close();
  await database.close();
});

const log = pino({ level: 'silent' });
let names = 0;
const unused = () => `Name ${++names}`;
const query = async <T extends object>(text: string) => (await database.database.pool.query(text)).rows as T[];
const keysOf = async (table: string, where = 'true') =>
  (await query<Row>(`select key from ${table} where site_id = 1 and ${where} order by id`)).map(({ key }) => key);
const numberOf = (key: string) => Number(key.split('-').at(-1));
const upTo = (last: number) => Array.from({ length: last }, (_, index) => index + 1);

async function made(call: Client, path: string, values: object = {}): Promise<Row> {
  const answer = await call<Row>('POST', `/${path}`, { name: unused(), ...values });
  expect(answer.status, JSON.stringify(answer.body)).toBe(201);
  return answer.body;
}

/** A client of the database that is closed at the end. */
async function withClient<T>(run: (client: pg.Client) => Promise<T>): Promise<T> {
  const client = new pg.Client(database.url);
  await client.connect();
  try {
    return await run(client);
  } finally {
    await client.end();
  }
}

/** Waits until so many statements of clients wait for a lock of a row; what works in the background is not counted. */
const waiting = (count: number) =>
  vi.waitFor(
    async () =>
      expect(
        await query(`select from pg_stat_activity where wait_event_type = 'Lock' and datname = current_database()
          and backend_type = 'client backend' and query !~* '\\m(pgboss|vacuum|analyze)\\M'`),
      ).toHaveLength(count),
    // A machine with much to do takes longer to get there than the second that is usual.
    { interval: 10, timeout: 20_000 },
  );

/**
 * Creates a record whose transaction has its number, and waits in the middle until the test is over with `during`. The
 * record is refused then.
 */
async function duringRefusedCreate(path: string, during: () => Promise<void>): Promise<ApiResponse<Row>> {
  const topic = await owners[0]!<Row>('POST', '/topics', { name: 'Locked' });
  return withClient(async (client) => {
    await client.query(`begin; select from topics where id = ${topic.body.id} for update`);
    const refused = owners[0]!<Row>('POST', `/${path}`, { name: unused(), topics: [topic.body.id] });
    await waiting(1);
    await during();
    await client.query(`delete from topics where id = ${topic.body.id}; commit`);
    return refused;
  });
}

describe('a number is taken', () => {
  test('without waiting for others whose records are not stored yet', async () => {
    const first = numberOf((await made(owners[0]!, 'parts')).key);
    const refused = await duringRefusedCreate('parts', async () => {
      for (const owner of owners) await made(owner, 'parts');
    });
    expect(refused.status).toBe(409);
    const stored = (await keysOf('parts')).map(numberOf).filter((number) => number >= first);
    expect(stored).toEqual([first, first + 2, first + 3]);
    // One that was given to nobody is left out for good.
    expect(numberOf((await made(owners[1]!, 'parts')).key)).toBe(first + 4);
  });

  test('by waiting for them where a definition asks for no gaps', async () => {
    const first = numberOf((await made(owners[0]!, 'bills')).key);
    let later: Promise<Row> | undefined;
    const refused = await duringRefusedCreate('bills', async () => {
      later = made(owners[1]!, 'bills');
      await waiting(2);
    });
    expect(refused.status).toBe(409);
    expect(numberOf((await later!).key)).toBe(first + 1);
  });

  test('again if its record was refused and nobody else has taken one since', async () => {
    const { key, name } = await made(owners[0]!, 'parts');
    const valid = Array.from({ length: 50 }, () => ({ name: unused() }));
    const calls: [string, object][] = [
      ['/parts', { name }],
      ['/parts/bulk', { create: [...valid, { name }] }],
      ['/parts/bulk', { create: [...valid, {}] }],
    ];
    for (const [path, body] of calls) expect((await owners[0]!('POST', path, body)).status).toBe(422);
    expect(await duringRefusedCreate('parts', async () => undefined)).toMatchObject({ status: 409 });
    expect(numberOf((await made(owners[1]!, 'parts')).key)).toBe(numberOf(key) + 1);
  });

  test('in the order of the records of a call, one after the other', async () => {
    const { key } = await made(owners[0]!, 'parts');
    const create = upTo(20).map((place) => ({ name: `Bulk ${place}` }));
    const { body } = await owners[1]!<Bulk>('POST', '/parts/bulk', { create });
    expect(body.data.created.map((one) => [one.name, numberOf(one.key)])).toEqual(
      upTo(20).map((place) => [`Bulk ${place}`, numberOf(key) + place]),
    );
  });

  test('by an import whose rows are stored one by one because one is refused, without a gap', async () => {
    // That another company has the code is found while the row is stored.
    const harbour = await servers[0]!.signIn(accounts.harbour);
    await made(harbour, 'parts', { code: 'FOREIGN' });
    const { key } = await made(owners[0]!, 'parts');
    const rows = ['A', 'B', 'FOREIGN', 'C'].map((code) => [`Row ${code}`, code]);
    const file = csv([['Name', 'Code'], ...rows]);
    expect((await send(servers[0]!, token, '/parts/import', file, {}, 'rows.csv')).status).toBe(200);
    expect((await keysOf('parts', "name like 'Row %'")).map(numberOf)).toEqual(
      upTo(3).map((place) => numberOf(key) + place),
    );
  });

  test('with one statement, and its record is stored with another one', async () => {
    const statements: string[] = [];
    const spied = pg.Client.prototype as unknown as { query: (...args: unknown[]) => unknown };
    const { query: original } = spied;
    for (let time = 0; time < 3; time++) await made(owners[0]!, 'parts');
    const spy = vi.spyOn(spied, 'query').mockImplementation(function (this: unknown, ...args) {
      statements.push(typeof args[0] === 'string' ? args[0] : (args[0] as { text: string }).text);
      return original.apply(this, args);
    });
    await made(owners[0]!, 'parts');
    spy.mockRestore();
    const own = statements.filter((text) => !/pg_notify|^select 1$/.test(text));
    expect(own.map((text) => /^\s*(\w+)/.exec(text)![1])).toEqual(['update', 'with']);
  });
});

/** A busy server may refuse a call before it does anything. */
function isAnswered({ status, body }: ApiResponse<unknown>, expected: number): boolean {
  expect([expected, 503], JSON.stringify(body)).toContain(status);
  return status === expected;
}

describe.each([16, 64])('%i callers of two servers at once', (callers) => {
  test.each(['parts', 'bills'])('never get a number of %s twice', { timeout: 60_000 }, async (path) => {
    const taken = (await made(owners[0]!, path)).name;
    const given: string[] = [];
    const run = upTo(callers).map(async (caller) => {
      const owner = owners[caller % 2]!;
      for (const step of upTo(4)) {
        const kind = (caller + step) % 5;
        if (kind === 0) isAnswered(await owner('POST', `/${path}`, { name: taken }), 422);
        else if (kind === 1) {
          const isRefused = step === 2;
          const create = [{ name: unused() }, { name: unused() }, ...(isRefused ? [{ name: taken }] : [])];
          const answer = await owner<Bulk>('POST', `/${path}/bulk`, { create });
          if (isAnswered(answer, isRefused ? 422 : 200) && !isRefused)
            given.push(...answer.body.data.created.map(({ key }) => key));
        } else if (kind === 2 && caller < 8) {
          const file = csv([['Name'], [unused()], [taken], [unused()]]);
          isAnswered(await send(servers[caller % 2]!, token, `/${path}/import`, file, {}, 'rows.csv'), 200);
        } else {
          const answer = await owner<Row>('POST', `/${path}`, { name: unused() });
          if (isAnswered(answer, 201)) given.push(answer.body.key);
        }
      }
    });
    await Promise.all(run);
    const stored = await keysOf(path);
    expect(new Set(stored).size).toBe(stored.length);
    expect(new Set(given).size).toBe(given.length);
    expect(stored).toEqual(expect.arrayContaining(given));
    expect(given.length).toBeGreaterThan(callers / 2);
    if (path === 'bills') {
      const numbers = stored.map(numberOf).sort((a, b) => a - b);
      expect(numbers).toEqual(upTo(numbers.length));
    }
  });
});

test('connections that are cut in the middle of creating cost numbers, and none is used twice', async () => {
  const client = new pg.Client(database.url);
  await client.connect();
  let cuts: Promise<unknown> = Promise.resolve();
  const cut = () => (cuts = cuts.then(cutTwo));
  const cutTwo = () =>
    client.query(`select pg_terminate_backend(pid) from pg_stat_activity where datname = current_database() and
      application_name = 'assay' and query ~ 'sequences|parts' order by random() limit 2`);
  const given: string[] = [];
  const statuses = new Set<number>();
  await Promise.all(
    upTo(16).map(async (caller) => {
      const owner = owners[caller % 2]!;
      for (const step of upTo(10)) {
        const sent =
          step % 3 === 0
            ? owner<Bulk>('POST', '/parts/bulk', { create: [{ name: unused() }] })
            : owner<Row>('POST', '/parts', { name: unused() });
        if (step % 2 === 0) await cut();
        const { status, body } = await sent;
        statuses.add(status);
        if (status === 201) given.push((body as Row).key);
      }
    }),
  );
  await client.end();
  expect([...statuses].filter((status) => ![200, 201, 503].includes(status))).toEqual([]);
  expect(statuses).toContain(503);
  const stored = await keysOf('parts');
  expect(new Set(stored).size).toBe(stored.length);
  expect(new Set(given).size).toBe(given.length);
  expect(stored).toEqual(expect.arrayContaining(given));
}, 60_000);

test('a server of the version before, which locks the counter until its record is stored, gets none of its numbers', async () => {
  const before = (await keysOf('parts')).length;
  const older = upTo(2).map((server) =>
    withClient(async (client) => {
      for (const place of upTo(6)) {
        await client.query('begin');
        const { rows } = await client.query<{ last: number }>(`update assay.sequences set last = last + 1
          where resource = 'parts' and field = 'key' and scope = 1 returning last`);
        await client.query(`insert into parts (site_id, name, key)
          values (1, 'Older ${server} ${place}', 'P-${rows[0]!.last}')`);
        await client.query(place % 3 === 0 ? 'rollback' : 'commit');
      }
    }),
  );
  const newer = upTo(30).map((place) => made(owners[place % 2]!, 'parts'));
  await Promise.all([...older, ...newer]);
  const stored = await keysOf('parts');
  expect(stored.length).toBe(before + 8 + 30);
  expect(new Set(stored).size).toBe(stored.length);
});

test('counters that are held for long do not keep others waiting', async () => {
  const shelves: Row[] = [];
  for (let time = 0; time < 3; time++) shelves.push(await made(owners[0]!, 'shelves'));
  for (const { id: shelf_id } of shelves) await made(owners[0]!, 'books', { shelf_id });
  await withClient(async (client) => {
    await client.query(`begin; update assay.sequences set last = last + 1 where resource = 'books'`);
    const held = shelves.map(({ id: shelf_id }) => made(owners[0]!, 'books', { shelf_id }));
    await waiting(2);
    await made(owners[0]!, 'parts');
    await client.query('rollback');
    for (const book of await Promise.all(held)) expect(book.key).toBe('B-2');
  });
});

test('a backup made while numbers are taken goes on after its keys once it is restored', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'assay-numbering-'));
  const target = await createTestDatabase('template1');
  try {
    const storage = await openStorage({ ...servers[0]!.program.settings, dataDir: folder }, log);
    let going = true;
    const writers = owners.map(async (owner) => {
      while (going) await made(owner, 'parts');
    });
    await createBackup(database.url, storage, join(folder, 'busy.backup')).finally(() => (going = false));
    await Promise.all(writers);
    await restoreBackup(target.url, storage, join(folder, 'busy.backup'));
    const { rows } = await target.database.pool.query<Row>('select key from parts where site_id = 1');
    const last = Math.max(...rows.map(({ key }) => numberOf(key)));
    const restored = await startFixtureProgram({ database: target });
    try {
      expect(numberOf((await made(await restored.signIn(accounts.owner), 'parts')).key)).toBeGreaterThan(last);
    } finally {
      await restored.close();
    }
  } finally {
    await target.close();
    rmSync(folder, { recursive: true, force: true });
  }
}, 60_000);

test('an automation that is only tried out takes no number', async () => {
  const admin = await servers[0]!.signIn(accounts.admin);
  const studio = studioOf(admin);
  const automations = [
    {
      name: 'follow',
      label: 'Follow',
      events: ['update'],
      steps: [{ create: 'parts', values: { name: 'Tried', site_id: 1 } }],
    },
  ];
  const { definition } = await studio.make('ideas', { name: {} }, { automations } as never);
  const idea = await made(owners[0]!, 'ideas');
  const { key } = await made(owners[0]!, 'parts');
  const tried = await admin<{ data: { automations: { state: string }[] } }>('POST', '/modules/ideas/try', {
    definition,
    record: idea.id,
    changed: { name: 'Another' },
  });
  expect(tried.body.data.automations).toMatchObject([{ state: 'done' }]);
  expect(numberOf((await made(owners[0]!, 'parts')).key)).toBe(numberOf(key) + 1);
});

describe('no new record gets the key of one that', () => {
  const shelf = async () => (await made(owners[0]!, 'shelves')).id;
  const filled = async (count: number) => {
    const shelf_id = await shelf();
    const books: Row[] = [];
    for (let time = 0; time < count; time++) books.push(await made(owners[0]!, 'books', { shelf_id }));
    return { shelf_id, books };
  };

  test.each<[string, (book: Row, shelf_id: number) => [string, string, object]]>([
    ['moved there', ({ id }, shelf_id) => ['PUT', `/books/${id}`, { shelf_id }]],
    ['moved there with others', ({ id }, shelf_id) => ['POST', '/books/bulk', { update: [{ id, shelf_id }] }]],
    [
      'moved there with its topics',
      ({ id }, shelf_id) => ['PUT', `/books/${id}`, { shelf_id, topics: [], name: unused() }],
    ],
  ])('%s', async (_what, move) => {
    const { books } = await filled(3);
    const { shelf_id } = await filled(1);
    expect((await owners[0]!(...move(books[2]!, shelf_id))).status).toBe(200);
    expect(await made(owners[1]!, 'books', { shelf_id })).toMatchObject({ key: 'B-4' });
  });

  test('was restored after a deletion', async () => {
    const { books, shelf_id } = await filled(2);
    expect((await owners[0]!('DELETE', `/books/${books[1]!.id}`)).status).toBeLessThan(300);
    // As if a definition had begun to number them only since.
    await query(`delete from assay.sequences where resource = 'books' and scope = ${shelf_id}`);
    expect((await owners[0]!('POST', '/books/restore', { ids: [books[1]!.id] })).status).toBe(200);
    await query(`update assay.sequences set last = least(last, 2) where resource = 'books' and scope = ${shelf_id}`);
    expect(await made(owners[1]!, 'books', { shelf_id })).toMatchObject({ key: 'B-3' });
  });

  test('was written directly into the database', async () => {
    const { shelf_id } = await filled(1);
    const write = (...numbers: number[]) =>
      query(`insert into books (site_id, shelf_id, name, key)
        select 1, ${shelf_id}, 'Written ' || n, 'B-' || n from unnest(array[${numbers.join()}]) n`);
    await write(2, 3);
    const next = numberOf((await made(owners[0]!, 'books', { shelf_id })).key);
    expect(next).toBeGreaterThan(3);
    await write(next + 1);
    const create = upTo(3).map(() => ({ name: unused(), shelf_id }));
    const { status, body } = await owners[0]!<Bulk>('POST', '/books/bulk', { create });
    expect(status, JSON.stringify(body)).toBe(200);
    const keys = await keysOf('books', `shelf_id = ${shelf_id}`);
    expect(new Set(keys).size).toBe(keys.length);
  });
});

/** What a caller of a server does. */
const actions = fc.record({
  kind: fc.constantFrom('create', 'refused', 'bulk', 'refusedBulk', 'delete', 'restore', 'move', 'together'),
  server: fc.nat(1),
  which: fc.nat(30),
});

test('whatever is created, refused, deleted, brought back and moved in any order, a key is given once', async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(actions, { minLength: 5, maxLength: 25 }), async (steps) => {
      const shelves = [(await made(owners[0]!, 'shelves')).id, (await made(owners[0]!, 'shelves')).id];
      const stored: Row[] = [];
      const gone: Row[] = [];
      /** All keys that were ever given in a scope. */
      const given: string[] = [];
      const give = (row: Row) => {
        stored.push(row);
        given.push(`${String(row.shelf_id)} ${row.key}`);
      };
      for (const { kind, server, which } of steps) {
        const owner = owners[server]!;
        const shelf_id = shelves[which % 2]!;
        const one = stored[which % Math.max(1, stored.length)];
        if (kind === 'create') give(await made(owner, 'books', { shelf_id }));
        else if (kind === 'refused' && one) {
          expect((await owner('POST', '/books', { name: one.name, shelf_id })).status).toBe(422);
        } else if (kind === 'bulk' || kind === 'refusedBulk') {
          const create = [{ name: unused(), shelf_id }, kind === 'bulk' ? { name: unused(), shelf_id } : {}];
          const { status, body } = await owner<Bulk>('POST', '/books/bulk', { create });
          expect(status).toBe(kind === 'bulk' ? 200 : 422);
          if (status === 200) body.data.created.forEach(give);
        } else if (kind === 'delete' && one) {
          expect((await owner('DELETE', `/books/${one.id}`)).status).toBeLessThan(300);
          gone.push(...stored.splice(stored.indexOf(one), 1));
        } else if (kind === 'restore' && gone.length > 0) {
          const back = gone[which % gone.length]!;
          const { status } = await owner('POST', '/books/restore', { ids: [back.id] });
          // Another record may have come to its scope with its key.
          expect([200, 409]).toContain(status);
          if (status === 200) stored.push(...gone.splice(gone.indexOf(back), 1));
        } else if (kind === 'move' && one) {
          const { status } = await owner('PUT', `/books/${one.id}`, { shelf_id });
          expect([200, 422]).toContain(status);
          if (status === 200 && one.shelf_id !== shelf_id) Object.assign(one, { shelf_id });
        } else if (kind === 'together') {
          const both = await Promise.all(owners.map((each) => made(each, 'books', { shelf_id })));
          both.forEach(give);
        }
      }
      expect(new Set(given).size).toBe(given.length);
    }),
    { numRuns: 15 },
  );
}, 120_000);
