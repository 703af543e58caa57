// @module-tag slow
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { accounts, password } from '../../support/accounts';
import type { Client } from '../../support/program';
import { book, send } from '../imports/files';
import { startStudio, type Refusal, type StudioProgram } from '../modules/studio';

let server: StudioProgram;
let owner: Client;

const loans = { name: {}, asset: { type: 'number', integer: true }, returned_on: { type: 'date' } } as const;
const out = { fields: ['asset'], where: { returned_on: null }, message: 'This asset is out.' };

beforeAll(async () => {
  server = await startStudio();
  ({ owner } = server);
  await server.studio.make(
    'assets',
    { name: {}, maker: { maxLength: 40 }, serial: {}, bought: { type: 'number' }, kind: {} },
    {
      unique: [['maker', 'serial'], { fields: ['bought'], where: { kind: { $in: ["the 'best'", 'new'] } } }],
      import: {},
    },
  );
  await server.studio.make('loans', loans, { unique: [out] });
  await owner('POST', '/assets', { name: 'first', maker: 'Bosch', serial: 'A 1' });
});
afterAll(() => server?.program.close());

describe('a unique combination of two fields', () => {
  const taken = 'A record with this maker and serial exists already.';
  test.each<[string, object, number, string?]>([
    ['the same values', { maker: 'Bosch', serial: 'A 1' }, 422, taken],
    ['in another case', { maker: 'bosch', serial: 'a 1' }, 422, taken],
    ['another serial', { maker: 'Bosch', serial: 'A 2' }, 201],
    ['another maker', { maker: 'Makita', serial: 'A 1' }, 201],
    ['no serial', { maker: 'Bosch' }, 201],
    ['no serial, again', { maker: 'Bosch' }, 201],
  ])('%s', async (_, values, status, message) => {
    const answer = await owner<Refusal>('POST', '/assets', { name: 'other', ...values });
    expect(answer.status).toBe(status);
    if (message) expect(answer.body.errors).toEqual({ maker: message });
  });

  test('an update is refused as well, and changes nothing', async () => {
    const { body } = await owner<{ id: number }>('POST', '/assets', { maker: 'Hilti', serial: 'H' });
    expect(await owner('PUT', `/assets/${body.id}`, { maker: 'BOSCH', serial: 'A 1' })).toMatchObject({
      status: 422,
      body: { errors: { maker: taken } },
    });
    expect((await owner('GET', `/assets/${body.id}`)).body).toMatchObject({ maker: 'Hilti', serial: 'H' });
  });

  test('another company has its own', async () => {
    const harbour = await server.program.signIn('owner@harbour.test');
    expect(await harbour('POST', '/assets', { maker: 'Bosch', serial: 'A 1' })).toMatchObject({ status: 201 });
  });
});

describe('a unique rule with a condition', () => {
  test('only records that match can collide', async () => {
    const lend = (values: object) => owner<{ id: number } & Refusal>('POST', '/loans', { name: 'x', ...values });
    const first = await lend({ asset: 1 });
    expect(first.status).toBe(201);
    expect(await lend({ asset: 1 })).toMatchObject({ status: 422, body: { errors: { asset: 'This asset is out.' } } });
    expect(await lend({ asset: 1, returned_on: '2026-01-02' })).toMatchObject({ status: 201 });
    expect(await owner('PUT', `/loans/${first.body.id}`, { returned_on: '2026-01-03' })).toMatchObject({ status: 200 });
    const second = await lend({ asset: 1 });
    expect(second.status).toBe(201);
    expect(await owner('PUT', `/loans/${first.body.id}`, { returned_on: null })).toMatchObject({ status: 422 });
  });

  test('values of the condition are data', async () => {
    const buy = async (kind: string) => (await owner('POST', '/assets', { name: 'k', bought: 7, kind })).status;
    expect([await buy('old'), await buy('old'), await buy("the 'best'"), await buy('new')]).toEqual([
      201, 201, 201, 422,
    ]);
  });

  test('of 16 writers at once, one succeeds', async () => {
    const answers = await Promise.all(
      Array.from({ length: 16 }, () => owner<Refusal>('POST', '/loans', { name: 'race', asset: 99 })),
    );
    expect(answers.map(({ status }) => status).sort()).toEqual([201, ...Array<number>(15).fill(422)]);
    const refused = answers.filter(({ status }) => status === 422);
    expect(new Set(refused.map(({ body }) => body.errors?.asset))).toEqual(new Set(['This asset is out.']));
  });
});

describe('a record in the archive that has the values', () => {
  const rules = [{ levels: [5], action: ['list', 'view'], where: { hidden: null }, reason: 'no hidden ones' }];
  let shelf: number;
  beforeAll(async () => {
    const grants = { '2': 'all', '3': 'all', '4': ['list', 'view', 'create'], '5': 'all', '6': 'none' };
    await server.studio.make('racks', { name: {} }, { archive: true, grants } as never);
    await server.studio.make(
      'shelves',
      {
        name: { type: 'text', unique: true },
        row: { type: 'number', integer: true },
        place: {},
        hidden: { type: 'boolean' },
        rack_id: { type: 'relation', to: 'racks', container: true },
      },
      {
        labels: { one: 'Shelf', many: 'Shelves' },
        archive: true,
        unique: [['row', 'place']],
        rules,
        grants,
        import: {},
      } as never,
    );
    const { body } = await owner<{ id: number }>('POST', '/shelves', { name: 'Top, left', row: 1, place: 'A, b' });
    shelf = body.id;
    expect((await owner('DELETE', `/shelves/${shelf}`)).status).toBe(200);
  });
  const add = (values: object, by = owner, headers = {}) => by<Refusal>('POST', '/shelves', values, headers);
  const way = () => ` The archived shelf “Top, left” (#${shelf}) has it: restore it, or choose another`;

  test.each<[string, object, () => object]>([
    ['one field', { name: 'TOP, LEFT' }, () => ({ name: `Name is already taken.${way()} name.` })],
    [
      'a combination',
      { name: 'New', row: 1, place: 'a, B' },
      () => ({ row: `A record with this row and place exists already.${way()} row or place.` }),
    ],
  ])('is named, with the way out: %s', async (_, values, errors) => {
    expect(await add(values)).toMatchObject({ status: 422, body: { errors: errors() } });
    expect(await add(values, owner, { 'idempotency-key': JSON.stringify(values) })).toMatchObject({
      status: 422,
      body: { errors: errors() },
    });
    const { body } = await add({ name: `Free ${Math.random()}` });
    const changed = await owner<Refusal>('PUT', `/shelves/${(body as unknown as { id: number }).id}`, values);
    expect(changed).toMatchObject({ status: 422, body: { errors: errors() } });
  });

  test('is named for each of many records, and in the preview of an import', async () => {
    const many = await owner<Refusal>('POST', '/shelves/bulk', { create: [{ name: 'Top, left' }] });
    expect(many.body.errors).toEqual({ 'create[0].name': `Name is already taken.${way()} name.` });
    const other = (await add({ name: `Free ${Math.random()}` })).body as unknown as { id: number };
    const changed = await owner<Refusal>('POST', '/shelves/bulk', { update: [{ id: other.id, name: 'Top, left' }] });
    expect(changed.body.errors).toEqual({ 'update[0].name': `Name is already taken.${way()} name.` });
    const { body } = await server.program.call<{ token: string }>('POST', '/login', {
      email: accounts.owner,
      password,
    });
    const preview = await send(
      server.program,
      body.token,
      '/shelves/import?preview=1',
      book([['Name'], ['Top, left']]),
    );
    expect(preview.body.errors).toMatchObject([{ message: `Name is already taken.${way()} name.` }]);
  });

  test('is restored by who may, and only those are told so', async () => {
    const developer = await server.program.signIn(accounts.developer);
    expect((await add({ name: 'Top, left' }, developer)).body.errors).toEqual({
      name: `Name is already taken. The archived shelf “Top, left” (#${shelf}) has it: choose another name.`,
    });
  });

  test('is not named to who may not see it, nor one of another company', async () => {
    const { body } = await add({ name: 'Bottom' });
    const id = (body as unknown as { id: number }).id;
    await owner('PUT', `/shelves/${id}`, { hidden: true });
    await owner('DELETE', `/shelves/${id}`);
    const qa = await server.program.signIn(accounts.qa);
    expect((await add({ name: 'Bottom' }, qa)).body.errors).toEqual({ name: 'Name is already taken.' });
    const harbour = await server.program.signIn('owner@harbour.test');
    expect((await add({ name: 'Bottom' }, harbour)).status).toBe(201);
  });

  test('with what it belongs to is named as that', async () => {
    const rack = (await owner<{ id: number }>('POST', '/racks', { name: 'R' })).body.id;
    const { body } = await add({ name: 'Inner', rack_id: rack });
    await owner('DELETE', `/racks/${rack}`);
    expect((await add({ name: 'inner' })).body.errors).toEqual({
      name: `Name is already taken. The shelf “Inner” (#${(body as unknown as { id: number }).id}), which is in the archive with what it belongs to, has it: choose another name.`,
    });
  });

  test('has no part in a refusal because of an active record', async () => {
    await add({ name: 'Middle' });
    expect((await add({ name: 'Middle' })).body.errors).toEqual({ name: 'Name is already taken.' });
  });
});

test('an import refuses rows that are stored already or repeated in the file, in its preview too', async () => {
  const { body } = await server.program.call<{ token: string }>('POST', '/login', { email: accounts.owner, password });
  const file = book([
    ['Name', 'Maker', 'Serial'],
    ['one', 'Festool', '1'],
    ['two', 'bosch', 'A 1'],
    ['three', 'FESTOOL', '1'],
    ['four', 'Festool', ''],
    ['five', 'Festool', ''],
  ]);
  const taken = { column: 'Maker', message: 'A record with this maker and serial exists already.' };
  const seen = await send(server.program, body.token, '/assets/import?preview=1', file);
  expect(seen.body).toMatchObject({ ready: 3, failed: 2 });
  expect(seen.body.errors).toMatchObject([
    { row: 3, ...taken },
    { row: 4, ...taken },
  ]);
  await send(server.program, body.token, '/assets/import', file);
  const { body: stored } = await owner<{ name: string }[]>('GET', '/assets?maker=Festool&sort_by=name');
  expect(stored.map(({ name }) => name)).toEqual(['five', 'four', 'one']);
});

describe('publishing', () => {
  test('names the values that are stored more than once, and changes nothing', async () => {
    await server.studio.make('crates', { maker: {}, serial: {}, gone: { type: 'boolean' } });
    for (const [maker, serial, gone] of [
      ['Acme', '1', true],
      ['ACME', '1', false],
      ['Acme', null, false],
      ['Acme', null, false],
    ] as const)
      await owner('POST', '/crates', { maker, serial, gone });
    const { definition } = await server.studio.module('crates');
    const plan = await server.studio.plan('crates', { ...definition, unique: [['maker', 'serial']] });
    expect(plan.steps).toContainEqual(
      expect.objectContaining({
        kind: 'createIndex',
        destructive: true,
        rows: 2,
        records: [1, 2],
        text: 'Require unique combinations of maker and serial in crates (stored more than once: "ACME, 1").',
      }),
    );
    const refused = await server.studio.tryPublish('crates', (source) => void (source.unique = [['maker', 'serial']]), {
      confirm: true,
    });
    expect(refused).toMatchObject({ status: 409, body: { message: expect.stringContaining('"ACME, 1"') } });
    const partial = await server.studio.publish(
      'crates',
      (source) => void (source.unique = [{ fields: ['maker', 'serial'], where: { gone: { $ne: true } } }]),
    );
    expect(partial.version).toBe(2);
    expect(await owner('POST', '/crates', { maker: 'acme', serial: '1', gone: true })).toMatchObject({ status: 201 });
    expect(await owner('POST', '/crates', { maker: 'acme', serial: '1' })).toMatchObject({ status: 422 });
  });

  test('a renamed field takes its combination along', async () => {
    await server.studio.make('jars', { maker: {}, serial: {} }, { unique: [['maker', 'serial']] });
    await owner('POST', '/jars', { maker: 'a', serial: '1' });
    await server.studio.publish('jars', (source) => {
      source.fields = { brand: { formerName: 'maker' }, serial: {} };
      source.unique = [['brand', 'serial']];
    });
    expect(await owner('POST', '/jars', { brand: 'A', serial: '1' })).toMatchObject({
      status: 422,
      body: { errors: { brand: 'A record with this brand and serial exists already.' } },
    });
  });
});
