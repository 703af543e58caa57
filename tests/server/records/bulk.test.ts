// @module-tag slow
import { Writable } from 'node:stream';
import pino from 'pino';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { LiveEvent } from '../../../src/server/live/live-hub';
import { accounts, startFixtureProgram, type ApiResponse, type Client, type DemoProgram } from '../../support/program';
import { studioOf } from '../modules/studio';
import { resolveReferences } from '../../support/openapi';

// `POST r/bulk`: many records in one call, all of them or none.

interface Row {
  id: number;
  updated_at: string;
  [name: string]: unknown;
}
interface Answer {
  data: { created: Row[]; updated: Row[]; deleted: number[] };
  message: string;
  code: string;
  errors: Record<string, string>;
}

let program: DemoProgram;
let admin: Client;
let owner: Client;
let harbour: Client;
/** The statements that ran, while it is a list. */
let statements: string[] | undefined;
const events: LiveEvent[] = [];

beforeAll(async () => {
  const log = pino(
    { level: 'trace' },
    new Writable({
      write(chunk: Buffer, _encoding, done) {
        const { msg, sql } = JSON.parse(chunk.toString()) as { msg: string; sql: string };
        // Other work of the program runs beside the call.
        if (msg === 'A statement' && !/pg_notify|assay\.jobs|advisory|^(begin|commit)$/.test(sql))
          statements?.push(sql);
        done();
      },
    }),
  );
  program = await startFixtureProgram({ log });
  admin = await program.signIn(accounts.admin);
  owner = await program.signIn(accounts.owner);
  harbour = await program.signIn(accounts.harbour);
  const studio = studioOf(admin);
  const company = { scope: 'company' } as const;
  await studio.make('makers', { name: { required: true, unique: 'company' }, city: {} }, company);
  await studio.make(
    'deals',
    {
      name: { required: true },
      amount: { type: 'number', min: 0, digits: 2 },
      due: { type: 'date' },
      meta: { type: 'json' },
      maker_id: { type: 'relation', to: 'makers', embed: 'maker', label: 'Maker' },
      partner_ids: { type: 'relations', to: 'makers', label: 'Partners' },
    },
    { ...company, rules: [{ levels: [2], action: ['edit', 'delete'], where: { name: { $ne: 'Locked' } } }] },
  );
  await studio.make('folders', { name: { required: true }, parent_id: { type: 'relation', to: 'folders' } }, company);
  program.program.live.subscribe((event) => events.push(event));
});
afterAll(() => program?.close());

const bulk = (resource: string, body: unknown, call = owner, headers: Record<string, string> = {}) =>
  call<Answer>('POST', `/${resource}/bulk`, body, headers);
async function done(answer: Promise<ApiResponse<Answer>>): Promise<Answer['data']> {
  const { status, body } = await answer;
  expect(status, JSON.stringify(body)).toBe(200);
  return body.data;
}
const list = async (resource: string, query = '') => (await owner<Row[]>('GET', `/${resource}?${query}`)).body;
const read = async (resource: string, id: number) => (await owner<Row>('GET', `/${resource}/${id}`)).body;
const make = async (resource: string, ...records: object[]) =>
  (await done(bulk(resource, { create: records }))).created;

describe('one call', () => {
  test('creates, changes and deletes, and answers in the order of the body', async () => {
    const [acme, bolt, coil] = await make('makers', { name: 'Acme' }, { name: 'Bolt' }, { name: 'Coil' });
    const [deal] = await make('deals', {
      name: 'First',
      maker_id: acme!.id,
      partner_ids: [bolt!.id],
      meta: { a: [1] },
    });
    expect(deal).toMatchObject({ maker: { id: acme!.id, name: 'Acme' }, partner_ids: [bolt!.id], meta: { a: [1] } });
    events.length = 0;
    const { created, updated, deleted } = await done(
      bulk('makers', {
        create: [{ name: 'Duct' }, { name: 'Coil', city: 'Rome' }],
        update: [
          { id: bolt!.id, city: 'Oslo', updated_at: bolt!.updated_at },
          { id: acme!.id, name: 'Acme Ltd' },
        ],
        delete: [coil!.id],
      }),
    );
    expect(created.map(({ name }) => name)).toEqual(['Duct', 'Coil']);
    expect(updated).toMatchObject([
      { id: bolt!.id, name: 'Bolt', city: 'Oslo' },
      { id: acme!.id, name: 'Acme Ltd' },
    ]);
    expect(deleted).toEqual([coil!.id]);
    expect((await list('makers', 'sort_by=name')).map(({ name }) => name)).toEqual([
      'Acme Ltd',
      'Bolt',
      'Coil',
      'Duct',
    ]);
    expect(events.map(({ event, id }) => [event, id])).toEqual([
      ['updated', bolt!.id],
      ['updated', acme!.id],
      ['deleted', coil!.id],
      ['created', created[0]!.id],
      ['created', created[1]!.id],
    ]);
    const history = await owner<{ data: Row[] }>('GET', `/makers/${acme!.id}/history`);
    expect(history.body.data).toMatchObject([
      { event: 'updated', old_values: { name: 'Acme' }, new_values: { name: 'Acme Ltd' } },
      { event: 'created', new_values: { name: 'Acme' } },
    ]);
  });

  test('stores every kind of value as a single change does', async () => {
    const [one, two] = await make('deals', { name: 'One' }, { name: 'One' });
    const [maker] = await make('makers', { name: 'Of values' });
    const values = {
      name: 'New',
      amount: 12.5,
      due: '2026-03-01',
      meta: { b: null, c: ['x'] },
      maker_id: maker!.id,
      partner_ids: [maker!.id],
    };
    expect((await owner('PUT', `/deals/${one!.id}`, values)).status).toBe(200);
    await done(bulk('deals', { update: [{ id: two!.id, ...values }] }));
    const [put, changed] = [await read('deals', one!.id), await read('deals', two!.id)];
    expect({ ...changed, id: 0, created_at: 0, updated_at: 0 }).toEqual({
      ...put,
      id: 0,
      created_at: 0,
      updated_at: 0,
    });
    const histories = [one!.id, two!.id].map(async (id) => {
      const { body } = await owner<{ data: Row[] }>('GET', `/deals/${id}/history`);
      return body.data.map(({ event, old_values, new_values }) => [
        event,
        new_values,
        event === 'updated' && old_values,
      ]);
    });
    const [first, second] = await Promise.all(histories);
    expect(second![0]).toEqual(first![0]);
    const cleared = { id: two!.id, amount: null, meta: null, maker_id: null, partner_ids: [] };
    const [empty] = (await done(bulk('deals', { update: [cleared] }))).updated;
    expect(empty).toMatchObject({ amount: null, meta: null, maker_id: null, partner_ids: [], name: 'New' });
  });

  test('answers only with the requested fields, and an empty one with nothing', async () => {
    const answer = owner<Answer>('POST', '/makers/bulk?fields=name', { create: [{ name: 'Few' }] });
    expect((await done(answer)).created).toEqual([{ id: expect.any(Number), name: 'Few' }]);
    expect(await done(bulk('makers', {}))).toEqual({ created: [], updated: [], deleted: [] });
  });

  test('runs once under an Idempotency-Key', async () => {
    const body = { create: [{ name: 'Once' }] };
    const first = await bulk('makers', body, owner, { 'idempotency-key': 'bulk once' });
    const again = await bulk('makers', body, owner, { 'idempotency-key': 'bulk once' });
    expect(again.body).toEqual(first.body);
    expect(again.headers['idempotency-replayed']).toBe('true');
    expect(await list('makers', 'name=Once')).toHaveLength(1);
  });

  test('a thousand records take a few statements', async () => {
    const [maker] = await make('makers', { name: 'Of many' });
    const count = async (body: object) => {
      statements = [];
      const answer = await done(bulk('deals', body));
      const ran = statements.length;
      statements = undefined;
      return { answer, ran };
    };
    const create = Array.from({ length: 1_000 }, (_, index) => ({ name: `Many ${index}`, maker_id: maker!.id }));
    const { answer, ran } = await count({ create });
    const rows = answer.created;
    expect(rows.map(({ name }) => name)).toEqual(create.map(({ name }) => name));
    const update = rows.map(({ id, updated_at }, index) => ({ id, updated_at, amount: index, maker_id: null }));
    const changed = await count({ update });
    expect(changed.answer.updated.map(({ amount }) => amount)).toEqual(update.map(({ amount }) => amount));
    const deleted = await count({ delete: rows.map(({ id }) => id) });
    expect(await list('deals', 'q=Many')).toEqual([]);
    expect(Math.max(ran, changed.ran, deleted.ran)).toBeLessThan(16);
  });
});

describe('all or nothing', () => {
  let one: Row;
  let locked: Row;
  let foreign: number;
  beforeAll(async () => {
    [one, locked] = (await make('deals', { name: 'Kept' }, { name: 'Locked' })) as [Row, Row];
    foreign = (await done(bulk('deals', { create: [{ name: 'Foreign' }] }, harbour))).created[0]!.id;
  });

  test.each<
    [string, (of: { one: Row; locked: Row; foreign: number }) => object, number, string, Record<string, RegExp>]
  >([
    [
      'values, all at once and each by its place',
      ({ one }) => ({ create: [{ name: 'Fine' }, { amount: -1 }], update: [{ id: one.id, amount: 'x', nmae: 1 }] }),
      422,
      'VALIDATION_FAILED',
      {
        'create[1].name': /required/,
        'create[1].amount': /Amount/i,
        'update[0].amount': /Amount/i,
        'update[0].nmae': /nmae/,
      },
    ],
    [
      'a reference',
      ({ one }) => ({ create: [{ name: 'Fine', maker_id: 99_999 }], update: [{ id: one.id, maker_id: 99_999 }] }),
      422,
      'VALIDATION_FAILED',
      { 'create[0].maker_id': /Maker/, 'update[0].maker_id': /Maker/ },
    ],
    [
      'a record that was changed in the meantime',
      ({ one }) => ({ update: [{ id: one.id, name: 'Late', updated_at: '2020-01-01T00:00:00Z' }] }),
      409,
      'CONFLICT_STALE',
      { 'update[0]': /was changed by .* Reload/ },
    ],
    [
      'records of others',
      ({ foreign }) => ({ update: [{ id: foreign, name: 'Mine' }], delete: [foreign, 987_654] }),
      422,
      'VALIDATION_FAILED',
      { 'delete[0]': /also in update\[0\]/, 'update[0]': /Not found/, 'delete[1]': /Not found/ },
    ],
    [
      'records that a rule keeps',
      ({ one, locked }) => ({
        update: [
          { id: one.id, name: 'Lost' },
          { id: locked.id, amount: 1 },
        ],
      }),
      403,
      'FORBIDDEN',
      { 'update[1]': /permission to edit/ },
    ],
    [
      'one record twice',
      ({ one }) => ({
        update: [
          { id: one.id, amount: 1 },
          { id: one.id, amount: 2 },
        ],
      }),
      422,
      'VALIDATION_FAILED',
      { 'update[1]': /also in update\[0\]/ },
    ],
    [
      'operations of the wrong form',
      () => ({ create: ['x'], update: [{ name: 'No id' }], delete: ['7', 0] }),
      422,
      'VALIDATION_FAILED',
      { 'create[0]': /object/, 'update[0].id': /id/, 'delete[0]': /id/, 'delete[1]': /id/ },
    ],
  ])('is refused for %s', async (_, bodyOf, status, code, errors) => {
    const before = await list('deals', 'range=[0,99]');
    const answer = await bulk('deals', bodyOf({ one, locked, foreign }));
    expect([answer.status, answer.body.code], JSON.stringify(answer.body)).toEqual([status, code]);
    expect(Object.keys(answer.body.errors).sort()).toEqual(Object.keys(errors).sort());
    for (const [place, text] of Object.entries(errors)) expect(answer.body.errors[place], place).toMatch(text);
    expect(answer.body.message).toMatch(/^(create|update|delete)\[\d\]/);
    expect(await list('deals', 'range=[0,99]')).toEqual(before);
  });

  test('names the record whose value another one has, and the one that is still used', async () => {
    const [left, right] = await make('makers', { name: 'Left' }, { name: 'Right' });
    await make('deals', { name: 'Uses right', maker_id: right!.id });
    const taken = await bulk('makers', {
      update: [
        { id: left!.id, city: 'X' },
        { id: right!.id, name: 'Left' },
      ],
    });
    expect([taken.status, taken.body.errors]).toEqual([422, { 'update[1].name': 'Name is already taken.' }]);
    const used = await bulk('makers', { delete: [left!.id, right!.id] });
    expect([used.status, used.body.code]).toEqual([409, 'CONFLICT_REFERENCED']);
    expect(used.body.errors).toEqual({ 'delete[1]': expect.stringMatching(/is used by 1 deal/) as string });
    const twice = await bulk('makers', { create: [{ name: 'Twin' }, { name: 'twin' }] });
    expect(twice.body.errors).toEqual({ 'create[1].name': 'Name is already taken.' });
    expect(await read('makers', left!.id)).toMatchObject({ name: 'Left', city: null });
  });

  test('finds a record below itself although two changes make the circle', async () => {
    const [top, below] = await make('folders', { name: 'Top' }, { name: 'Below' });
    const circle = {
      update: [
        { id: below!.id, parent_id: top!.id },
        { id: top!.id, parent_id: below!.id },
      ],
    };
    const answer = await bulk('folders', circle);
    expect(answer.body.errors).toEqual({ 'update[1].parent_id': 'A folders cannot be placed below itself.' });
  });

  test('parents and their children are deleted together', async () => {
    const [top] = await make('folders', { name: 'Parent' });
    const [child] = await make('folders', { name: 'Child', parent_id: top!.id });
    expect((await bulk('folders', { delete: [top!.id] })).status).toBe(409);
    expect(await done(bulk('folders', { delete: [top!.id, child!.id] }))).toMatchObject({
      deleted: [top!.id, child!.id],
    });
  });
});

describe('the body and the caller', () => {
  test.each<[string, unknown, number, RegExp]>([
    ['a misspelt list', { updates: [] }, 400, /create, update and delete.*updates/],
    ['no list', { create: { name: 'x' } }, 400, /create must be a list/],
    ['no object', [{ name: 'x' }], 400, /JSON object/],
    ['too many', { delete: Array.from({ length: 1_001 }, (_, index) => index + 1) }, 413, /At most 1,000 .* 1,001/],
  ])('%s', async (_, body, status, message) => {
    const answer = await bulk('makers', body);
    expect([answer.status, answer.body.message]).toEqual([status, expect.stringMatching(message)]);
  });

  test('needs the grants of what it does, and a module that exists', async () => {
    const { call, grant } = await program.restricted();
    await grant(['makers.list', 'makers.edit']);
    const [one] = await make('makers', { name: 'Granted' });
    expect((await bulk('makers', { update: [{ id: one!.id, city: 'Y' }] }, call)).status).toBe(200);
    expect((await bulk('makers', { update: [{ id: one!.id, city: 'Z' }], delete: [one!.id] }, call)).status).toBe(403);
    expect((await bulk('makers', { create: [{ name: 'No' }] }, call)).status).toBe(403);
    expect((await bulk('nothing-such', {})).status).toBe(404);
    expect((await bulk('makers', {}, program.call)).status).toBe(401);
  });

  test('runs hooks for each record, and sets no passwords', async () => {
    const users = (await owner<{ data: Row[] }>('GET', '/users?range=[0,1]')).body.data;
    const answer = await bulk('users', { update: users.map(({ id }) => ({ id, password: 'Long enough 1!' })) }, admin);
    expect(Object.values(answer.body.errors)[0]).toMatch(/one record at a time/);
    const [self] = (await admin<{ data: Row[] }>('GET', '/users?q=admin&range=[0,0]')).body.data;
    const single = await admin<Answer>('DELETE', `/users/${self!.id}`);
    const many = await bulk('users', { delete: [self!.id] }, admin);
    expect([many.status, many.body.errors['delete[0]']]).toEqual([single.status, single.body.message]);
  });

  test('is documented for whoever may write', async () => {
    const { body } = await owner<{ paths: Record<string, { post?: { requestBody: object } }>; components: object }>(
      'GET',
      '/openapi.json',
    );
    const sent = JSON.stringify(resolveReferences(body, body.paths['/deals/bulk']?.post?.requestBody));
    expect(sent).toContain('"maxItems":1000');
    const external = await program.signIn(accounts.external);
    const theirs = await external<{ paths: object }>('GET', '/openapi.json');
    expect(theirs.body.paths).not.toHaveProperty(['/deals/bulk']);
  });
});
