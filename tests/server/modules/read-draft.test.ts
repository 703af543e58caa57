// @module-tag slow
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { FieldSource, Source } from '../../../src/engine/language/source';
import { replaceTables } from '../../../src/server/modules/draft-database';
import { accounts, type Client } from '../../support/program';
import { startStudio, type Refusal, type StudioProgram } from './studio';

type Row = Record<string, unknown> & { id: number };
type Change = (source: Source) => void;

let { program, admin, owner, studio, query } = {} as StudioProgram;
let harbour: Client;
let users: Record<keyof typeof accounts, number>;
const rooms: Record<string, Row> = {};

beforeAll(async () => {
  ({ program, admin, owner, studio, query } = await startStudio());
  harbour = await program.signIn(accounts.harbour);
  const rows = await query('select id, email from users');
  users = Object.fromEntries(
    Object.entries(accounts).map(([name, email]) => [name, rows.find((row) => row.email === email)!.id]),
  ) as typeof users;
  await studio.make('rooms', { name: { required: true }, floor: { type: 'number' } });
  for (const [name, floor] of [
    ['Attic', 3],
    ['Cellar', 0],
    ['Hall', 1],
  ] as const)
    rooms[name] = await create(owner, 'rooms', { name, floor });
  await makeCrates('crates');
});
afterAll(() => program?.close());

async function create(call: Client, path: string, values: object): Promise<Row> {
  const answer = await call<Row>('POST', `/${path}`, values);
  expect(answer.status, JSON.stringify(answer.body)).toBe(201);
  return answer.body;
}

/** A module with records of two companies. */
async function makeCrates(name: string): Promise<void> {
  await studio.make(
    name,
    {
      name: { required: true, searchable: true },
      weight: { searchable: false },
      state: {
        type: 'select',
        options: [
          { value: 'full', label: 'Full' },
          { value: 'empty', label: 'Empty' },
        ],
      },
      packed_on: { type: 'date' },
      note: { searchable: false },
      room_id: { type: 'relation', to: 'rooms' },
      tags: { type: 'relations', to: 'rooms' },
      lines: { type: 'rows', searchable: true, fields: { item: {}, pieces: { type: 'number' } } },
    },
    { grants: { '2': 'all', '4': 'read', '6': 'none' } },
  );
  const { Attic, Cellar, Hall } = rooms as Record<'Attic' | 'Cellar' | 'Hall', Row>;
  const all: [string, string | null, string, string | null, Row | null][] = [
    ['Apples', '12', 'full', '2026-03-01', Cellar],
    ['Books', '7', 'full', '2026-01-15', Attic],
    ['Cups', 'light', 'empty', null, Hall],
    ['Dishes', '30', 'empty', '2026-02-01', Cellar],
    ['Eggs', null, 'full', '2026-03-01', null],
  ];
  for (const [title, weight, state, packed_on, room] of all)
    await create(owner, name, {
      name: title,
      weight,
      state,
      packed_on,
      note: `the ${title.toLowerCase()} note`,
      room_id: room?.id ?? null,
      tags: room ? [room.id] : [],
      lines: [{ item: `${title} of the line`, pieces: 2 }],
    });
  await create(harbour, name, { name: 'Far away', weight: '99', state: 'full' });
}

async function draftOf(name: string, change: Change): Promise<Source> {
  const source = structuredClone((await studio.module(name)).definition);
  change(source);
  return source;
}

async function read(name: string, definition: unknown, path: string, as?: string) {
  const answer = await admin<Refusal>('POST', `/modules/${name}/read`, { definition, path, ...(as && { as }) });
  return { status: answer.status, body: answer.body as unknown, range: answer.headers['content-range'] };
}

async function rowsOf(name: string, definition: unknown, path: string, as = `user ${users.owner}`): Promise<Row[]> {
  const answer = await read(name, definition, path, as);
  expect(answer.status, JSON.stringify(answer.body)).toBe(200);
  return answer.body as Row[];
}
const names = (rows: readonly Row[]) => rows.map(({ name }) => name);
const filtered = (path: string, filter: object, more = '') =>
  `${path}?filter=${encodeURIComponent(JSON.stringify(filter))}${more}`;

/** The rows of every table, except those that each request writes. */
async function everything(): Promise<unknown> {
  const tables = await query(`select format('%I.%I', schemaname, tablename) as name from pg_tables
    where schemaname in ('public', 'assay') or schemaname = 'assay_queue' and tablename = 'job' order by 1`);
  const counted: Record<string, unknown> = {};
  for (const { name } of tables as { name: string }[])
    [counted[name]] = await query(
      `select count(*)::integer as n, md5(coalesce(string_agg(t::text, '|' order by t::text), '')) as content from ${name} t`,
    );
  delete counted['assay.tokens'];
  delete counted['assay.security_log'];
  return counted;
}

const reshaped: Change = (source) => {
  const { fields } = source;
  fields.title = { ...fields.name!, formerName: 'name' };
  delete fields.name;
  source.recordTitle = '{title}';
  fields.weight = { type: 'number' };
  fields.twice = { type: 'number', computed: { $multiply: ['$record.weight', 2] } };
  fields.fragile = { type: 'boolean', default: true };
  fields.note!.searchable = true;
  fields.place_id = { ...fields.room_id!, formerName: 'room_id', choices: { floor: { $gt: 0 } } } as FieldSource;
  delete fields.room_id;
  fields.rooms = { ...fields.tags!, formerName: 'tags' };
  delete fields.tags;
  fields.lines!.fields!.pieces = { type: 'text' };
  (fields.state as { options: object[] }).options = [
    { value: 'packed', label: 'Packed', formerValue: 'full' },
    { value: 'empty', label: 'Empty' },
  ];
  source.list = { columns: ['title', 'weight', 'twice'], sort: 'title' };
};

describe('reading a draft', () => {
  test('a draft answers every read as the API does once it is published', async () => {
    await makeCrates('boxes');
    const draft = await draftOf('boxes', reshaped);
    const paths = [
      '/boxes',
      '/boxes?sort_by=twice',
      '/boxes?sort_by=place_id',
      '/boxes?range=[1,2]&sort=["weight","DESC"]',
      '/boxes?fields=id,title,twice',
      filtered('/boxes', { q: 'cups note' }),
      filtered('/boxes', { q: 'line' }),
      filtered('/boxes', { state: 'packed' }),
      filtered('/boxes', { weight_from: 10 }),
      filtered('/boxes', { twice_from: 20 }),
      filtered('/boxes', { fragile: true }),
      filtered('/boxes', { rooms: rooms.Cellar!.id }),
      '/boxes?group_by=state&range=[0,9]',
      '/boxes?group_by=-place_id&range=[0,9]',
      '/boxes/aggregate?group=state&take=sum:weight,avg:twice',
      '/boxes/aggregate?group=packed_on:month',
      '/boxes/choices',
      '/boxes/choices?q=book',
      '/boxes/choices/place_id',
      '/rooms',
      '/rooms/choices',
      '/boxes/1',
      '/boxes/999999',
      '/boxes?sort_by=nothing',
    ];
    const roles = [`user ${users.owner}`, `user ${users.developer}`, `user ${users.external}`, `user ${users.harbour}`];
    const answers = [];
    for (const as of roles)
      for (const path of paths) answers.push({ as, path, ...(await read('boxes', draft, path, as)) });
    await studio.publish('boxes', reshaped, { confirm: true });
    for (const { as, path, ...preview } of answers) {
      const answer = await admin('GET', path, undefined, { 'x-view-as': as });
      expect(preview, `${path} as ${as}`).toEqual({
        status: answer.status,
        body: answer.body,
        range: answer.headers['content-range'],
      });
    }
    expect(answers[0]!.body).toHaveLength(5);
    expect(answers[1]!.body).toMatchObject([14, 24, 60, null, null].map((twice) => ({ twice })));
  });

  test('a new filter, another order and a new searched field decide about the rows at once', async () => {
    const draft = await draftOf('crates', (source) => {
      source.fields.heavy = { type: 'boolean', computed: { weight: '30' } };
      source.fields.note!.searchable = true;
    });
    expect(names(await rowsOf('crates', draft, filtered('/crates', { heavy: true })))).toEqual(['Dishes']);
    expect(names(await rowsOf('crates', draft, '/crates?sort_by=heavy')).at(-1)).toBe('Dishes');
    expect(names(await rowsOf('crates', draft, filtered('/crates', { q: 'eggs note' })))).toEqual(['Eggs']);
    const now = await studio.module('crates');
    expect(await rowsOf('crates', now.definition, filtered('/crates', { q: 'eggs note' }))).toEqual([]);
  });

  test('choices follow the condition of the draft', async () => {
    const draft = await draftOf('crates', ({ fields }) => void (fields.room_id!.choices = { floor: 0 }));
    const answer = await read('crates', draft, '/crates/choices/room_id', `user ${users.owner}`);
    expect(answer.body).toEqual({ data: [{ id: rooms.Cellar!.id, title: 'Cellar' }] });
  });

  test('rules of the draft decide which rows and fields a role reads, and nobody sees another company', async () => {
    const draft = await draftOf('crates', (source) => {
      source.rules = [
        { levels: [4], action: ['list', 'view'], where: { 'room_id.floor': 0 }, exceptFields: ['weight'] },
      ];
    });
    const developer = await rowsOf('crates', draft, '/crates?sort_by=name', `user ${users.developer}`);
    expect(names(developer)).toEqual(['Apples', 'Dishes']);
    expect(developer[0]).not.toHaveProperty('weight');
    expect(names(await rowsOf('crates', draft, '/crates', `user ${users.harbour}`))).toEqual(['Far away']);
    const [books] = (await query(`select id from crates where name = 'Books'`)) as [Row];
    expect((await read('crates', draft, `/crates/${books.id}`, `user ${users.developer}`)).status).toBe(404);
    expect((await read('crates', draft, `/crates/${books.id}`, `user ${users.owner}`)).status).toBe(200);
    expect((await read('crates', draft, '/crates', 'user 999999')).status).toBe(404);
    expect((await read('crates', draft, '/crates', 'nobody')).status).toBe(400);
  });

  test('a new module is read as its default grants allow, and has no records', async () => {
    const draft = await draftOf('crates', (source) => {
      source.name = 'barrels';
      source.grants = { '2': 'all', '6': 'none' };
    });
    for (const path of ['/barrels', filtered('/barrels', { q: 'anything' }), '/barrels?group_by=state&range=[0,9]']) {
      const answer = await read('barrels', draft, path, `user ${users.owner}`);
      expect([answer.status, answer.body], path).toEqual([200, []]);
    }
    expect((await read('barrels', draft, '/barrels', `user ${users.external}`)).status).toBe(403);
    expect((await query(`select to_regclass('public.barrels') as found`))[0]).toEqual({ found: null });
  });

  test.each([
    ['a field of an unknown type', (source: Source) => void (source.fields.name = { type: 'none' } as never), 422],
    ['an order by no field', (source: Source) => void (source.list = { sort: 'x' }), 422],
    ['another name', (source: Source) => void (source.name = 'others'), 422],
  ])('a draft with %s is refused', async (_, change, status) => {
    const answer = await read('crates', await draftOf('crates', change), '/crates');
    expect(answer.status).toBe(status);
  });

  test.each(['/nothing', '/crates/1/history', '/crates/aggregate/more', '/%E0', '/modules', ''])(
    'the path "%s" is no read of records',
    async (path) => {
      const { definition } = await studio.module('crates');
      expect((await read('crates', definition, path)).status).toBe(path === '' ? 422 : 404);
    },
  );

  test('only the administrator of the installation reads drafts', async () => {
    const { definition } = await studio.module('crates');
    const body = { definition, path: '/crates' };
    expect((await owner('POST', '/modules/crates/read', body)).status).toBe(403);
    const viewing = { 'x-view-as': `user ${users.owner}` };
    expect((await admin('POST', '/modules/crates/read', body, viewing)).status).toBe(403);
  });

  test('nothing is stored, and the definition in force answers as before', async () => {
    const before = await everything();
    const list = await owner('GET', '/crates');
    const draft = await draftOf('crates', reshaped);
    expect(await rowsOf('crates', draft, '/crates')).toHaveLength(5);
    await read('crates', draft, '/crates/aggregate?group=state');
    expect(await everything()).toEqual(before);
    expect((await owner('GET', '/crates')).body).toEqual(list.body);
  });

  test('a writer neither waits for a reader of drafts nor keeps one waiting', async () => {
    const draft = await draftOf('crates', reshaped);
    const client = await program.program.database.pool.connect();
    try {
      await client.query('begin');
      await client.query(`update crates set name = 'Zebra' where name = 'Apples'`);
      await client.query('lock table crates in exclusive mode');
      // Everything but a mere reader would wait now.
      const during = await rowsOf('crates', draft, '/crates');
      expect(during.map(({ title }) => title)).toContain('Apples');
      await client.query('commit');
      const after = await rowsOf('crates', draft, '/crates');
      expect(after.map(({ title }) => title)).toContain('Zebra');
      await query(`update crates set name = 'Apples' where name = 'Zebra'`);
    } finally {
      client.release();
    }
  });

  test('a table of 200,000 records is read with its indexes, and a statement that takes too long is ended', async () => {
    await studio.make('parcels', { name: { required: true }, weight: {}, sent_on: { type: 'date' } });
    const writer = await program.program.database.pool.connect();
    try {
      // However slow the machine is: only reading has a limit here.
      await writer.query('begin; set local statement_timeout = 0');
      await writer.query(`insert into parcels (name, weight, sent_on, site_id, created_at)
        select 'Parcel ' || n, n::text, date '2026-01-01' + n % 300, 1, now() from generate_series(1, 200000) n`);
      await writer.query('commit');
    } finally {
      writer.release();
    }
    await query('analyze parcels');
    const draft = await draftOf('parcels', (source) => {
      source.fields.weight = { type: 'number' };
      source.fields.twice = { type: 'number', computed: { $multiply: ['$record.weight', 2] } };
    });
    const path = filtered('/parcels', { twice_from: 399_990 }, '&range=[0,9]&sort=["id","DESC"]');
    const answer = await read('parcels', draft, path, `user ${users.owner}`);
    expect(answer).toMatchObject({ status: 200, range: 'parcels 0-5/6' });
    const lock = await program.program.database.pool.connect();
    try {
      await lock.query('begin');
      await lock.query('lock table parcels in access exclusive mode');
      expect((await read('parcels', draft, '/parcels', `user ${users.owner}`)).status).toBe(503);
    } finally {
      await lock.query('rollback');
      lock.release();
    }
  });
});

test('the names of tables are replaced outside of texts only', () => {
  const rows = new Map([['deals', '(select 1 as id)']]);
  const statement = `select '"public"."deals"', 'it''s "public"."deals"' from "public"."deals" t join "public"."deals__tags" p`;
  expect(replaceTables(statement, rows)).toBe(
    `select '"public"."deals"', 'it''s "public"."deals"' from (select 1 as id) t join "public"."deals__tags" p`,
  );
});
