// @module-tag slow
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { Source } from '../../../src/engine/language/source';
import { password } from '../../support/accounts';
import { accounts, type Client } from '../../support/program';
import { csv, send } from '../imports/files';
import { startStudio, type StudioProgram } from '../modules/studio';

type Row = Record<string, unknown> & { id: number; key: string };

let { program, admin, owner, studio, query } = {} as StudioProgram;
let harbour: Client;

const keyed = (format: string, more: object = {}): Source['fields'] => ({
  name: { required: true },
  key: { type: 'sequence', format, ...more },
});

beforeAll(async () => {
  ({ program, admin, owner, studio, query } = await startStudio());
  harbour = await program.signIn(accounts.harbour);
  await studio.make('shelves', { name: { required: true }, code: { required: true } });
  await studio.make(
    'books',
    {
      ...keyed('{shelf_id.code}-{n}', { partitionBy: 'shelf_id' }),
      shelf_id: { type: 'relation', to: 'shelves', required: true, embed: 'shelf' },
    },
    { import: {}, export: true, list: { sortChoices: ['key'], filters: { key: {} } } },
  );
  await studio.make('assets', keyed('A-{n}'));
});
afterAll(() => program?.close());

async function make(call: Client, path: string, values: object): Promise<Row> {
  const answer = await call<Row>('POST', `/${path}`, values);
  expect(answer.status, JSON.stringify(answer.body)).toBe(201);
  return answer.body;
}

const shelf = async (code: string) => (await make(owner, 'shelves', { name: code, code })).id;
const keys = async (call: Client, path: string) => (await call<Row[]>('GET', `/${path}`)).body.map(({ key }) => key);
const numbers = (all: readonly string[]) => all.map((key) => Number(key.split('-')[1])).sort((a, b) => a - b);
const upTo = (last: number) => Array.from({ length: last }, (_, index) => index + 1);

describe('a new record gets the next key', () => {
  test('of its own company, also while other companies create records', async () => {
    expect(await make(owner, 'assets', { name: 'Drill' })).toMatchObject({ key: 'A-1' });
    expect(await make(harbour, 'assets', { name: 'Crane' })).toMatchObject({ key: 'A-1' });
    expect(await make(owner, 'assets', { name: 'Saw' })).toMatchObject({ key: 'A-2' });
  });

  test('of the record that it refers to, whose code it contains', async () => {
    const [noir, western] = [await shelf('NOIR'), await shelf('WEST')];
    for (const [shelf_id, key] of [
      [noir, 'NOIR-1'],
      [western, 'WEST-1'],
      [noir, 'NOIR-2'],
    ])
      expect(await make(owner, 'books', { name: 'A film', shelf_id })).toMatchObject({ key });
  });

  test('which clients can neither choose nor change', async () => {
    const made = await make(owner, 'assets', { name: 'Lathe', key: 'A-999' });
    expect(made.key).not.toBe('A-999');
    expect(await owner('PUT', `/assets/${made.id}`, { name: 'Mill', key: 'A-1' })).toMatchObject({
      status: 200,
      body: { name: 'Mill', key: made.key },
    });
    const history = await owner('GET', `/assets/${made.id}/history`);
    expect(JSON.stringify(history.body)).toContain(made.key);
  });

  test('that no other record gets, even after the first is deleted', async () => {
    const made = await make(owner, 'assets', { name: 'Rented' });
    expect((await owner('DELETE', `/assets/${made.id}`)).status).toBeLessThan(300);
    const next = await make(owner, 'assets', { name: 'Bought' });
    expect(numbers([next.key])).toEqual([numbers([made.key])[0]! + 1]);
  });
});

test('16 writers at once get every number once, without a gap, although some are refused', async () => {
  const shelf_id = await shelf('RUSH');
  const writers = upTo(16).map(async () => {
    const given: string[] = [];
    for (const place of upTo(6)) {
      const values = place === 3 ? { shelf_id } : { name: `Film ${place}`, shelf_id };
      const { status, body } = await owner<Row>('POST', '/books', values);
      expect(status, JSON.stringify(body)).toBe(place === 3 ? 422 : 201);
      if (status === 201) given.push(body.key);
    }
    return given;
  });
  expect(numbers((await Promise.all(writers)).flat())).toEqual(upTo(80));
});

test('a key is found by search, in lists and choices, and sorts by its number', async () => {
  const shelf_id = await shelf('FIND');
  for (const place of upTo(12)) await make(owner, 'books', { name: `Film ${place}`, shelf_id });
  await studio.make('reviews', { name: {}, film_id: { type: 'relation', to: 'books' } });
  const found = async (path: string) => (await owner<Row[]>('GET', path)).body;
  expect((await found('/books?q=find-11')).map(({ key }) => key)).toEqual(['FIND-11']);
  expect((await found('/books?key=FIND-11')).map(({ key }) => key)).toEqual(['FIND-11']);
  const chosen = await owner<{ data: { title: string }[] }>('GET', '/reviews/choices/film_id?q=FIND-11');
  expect(JSON.stringify(chosen.body)).toContain('Film 11');
  const sorted = await found(`/books?shelf_id=${shelf_id}&sort_by=key`);
  expect(sorted.map(({ key }) => key)).toEqual(upTo(12).map((number) => `FIND-${number}`));
});

test('a record that moves keeps its key', async () => {
  const [from, to] = [await shelf('FROM'), await shelf('TO')];
  const made = await make(owner, 'books', { name: 'Moved', shelf_id: from });
  expect(await owner('PUT', `/books/${made.id}`, { shelf_id: to })).toMatchObject({
    status: 200,
    body: { key: 'FROM-1', shelf_id: to },
  });
  expect(await make(owner, 'books', { name: 'Later', shelf_id: to })).toMatchObject({ key: 'TO-1' });
});

test('a record cannot move to a container where another has the same key', async () => {
  await studio.make('boxes', {
    ...keyed('No. {n}', { partitionBy: 'shelf_id' }),
    shelf_id: { type: 'relation', to: 'shelves', required: true, label: 'Shelf' },
  });
  const [from, to] = [await shelf('A'), await shelf('B')];
  const [made] = [
    await make(owner, 'boxes', { name: 'One', shelf_id: from }),
    await make(owner, 'boxes', { name: 'Two', shelf_id: to }),
  ];
  expect(await owner('PUT', `/boxes/${made.id}`, { shelf_id: to })).toMatchObject({
    status: 422,
    body: { errors: { shelf_id: expect.stringMatching(/another boxes there has the key of this one/) } },
  });
});

describe('when a definition changes', () => {
  test('stored records get keys in the order of their ids, and the plan says so', async () => {
    const { definition } = await studio.make('deals', { name: { required: true } });
    for (const name of ['First', 'Second', 'Third']) await make(owner, 'deals', { name });
    await make(harbour, 'deals', { name: 'Elsewhere' });
    definition.fields.key = { type: 'sequence', format: 'D-{n}' };
    const plan = await studio.plan('deals', definition);
    expect(plan.steps).toContainEqual(expect.objectContaining({ kind: 'numberRows', rows: 4, destructive: false }));
    await studio.publish('deals', ({ fields }) => {
      fields.key = { type: 'sequence', format: 'D-{n}' };
    });
    expect((await keys(owner, 'deals')).toSorted()).toEqual(['D-1', 'D-2', 'D-3']);
    expect(await make(owner, 'deals', { name: 'Fourth' })).toMatchObject({ key: 'D-4' });
    expect(await make(harbour, 'deals', { name: 'There' })).toMatchObject({ key: 'D-2' });
  });

  test('another format holds for new records, and another name keeps counting', async () => {
    await studio.publish('deals', ({ fields }) => {
      fields.key!.format = 'DEAL/{n}';
    });
    expect(await make(owner, 'deals', { name: 'Fifth' })).toMatchObject({ key: 'DEAL/5' });
    expect(await keys(owner, 'deals')).toContain('D-1');
    await studio.publish('deals', ({ fields }) => {
      delete fields.key;
      fields.code = { type: 'sequence', format: 'DEAL/{n}', formerName: 'key' };
    });
    expect(await make(owner, 'deals', { name: 'Sixth' })).toMatchObject({ code: 'DEAL/6' });
  });

  test('a sequence that is to have no gaps goes on counting, and so does one that may have them again', async () => {
    await studio.make('folders', keyed('F-{n}'));
    expect(await make(owner, 'folders', { name: 'One' })).toMatchObject({ key: 'F-1' });
    for (const [gapless, key] of [
      [true, 'F-2'],
      [false, 'F-3'],
    ] as const) {
      await studio.publish('folders', ({ fields }) => {
        fields.key!.gapless = gapless;
      });
      expect(await make(owner, 'folders', { name: 'Next' })).toMatchObject({ key });
    }
  });

  test('a text with keys becomes a sequence that goes on after them', async () => {
    await studio.make('tickets', { name: { required: true }, key: {} });
    for (const key of ['T-7', 'T-12', 'T-x', null]) await make(owner, 'tickets', { name: 'Old', key });
    await studio.publish('tickets', ({ fields }) => {
      fields.key = { type: 'sequence', format: 'T-{n}' };
    });
    expect((await keys(owner, 'tickets')).toSorted()).toEqual(['T-12', 'T-13', 'T-7', 'T-x']);
    expect(await make(owner, 'tickets', { name: 'New' })).toMatchObject({ key: 'T-14' });
  });

  test.each<[string, object, string, RegExp]>([
    ['no number', { format: 'TC-' }, 'format', /must contain \{n\}/],
    ['two numbers', { format: '{n}-{n}' }, 'format', /exactly once/],
    ['an unknown field', { format: '{nme}-{n}' }, 'format', /Did you mean "name"/],
    ['an optional field', { format: '{note}-{n}' }, 'format', /"note" must be required/],
    ['no relation', { format: '{n}', partitionBy: 'name' }, 'partitionBy', /must be a relation/],
    ['a default', { format: '{n}', default: 'x' }, 'default', /Remove this property/],
    ['gaps that are a word', { format: '{n}', gapless: 'never' }, 'gapless', /boolean|true or false/],
  ])('a sequence with %s is refused', async (_, key, at, message) => {
    const fields = { name: { required: true }, note: {}, key: { type: 'sequence', ...key } };
    const definition = { name: 'wrongs', labels: { one: 'Wrong', many: 'Wrongs' }, scope: 'company', fields };
    const { status, body } = await admin<{ errors: Record<string, string> }>('POST', '/modules', { definition });
    expect(status).toBe(422);
    expect(JSON.stringify(body).replaceAll('\\"', '"')).toMatch(message);
    expect(JSON.stringify(body)).toContain(`/fields/key/${at}`);
  });
});

test('imported records are numbered in the order of the file', async () => {
  const shelf_id = await shelf('FILE');
  const { body } = await program.call<{ token: string }>('POST', '/login', { email: accounts.owner, password });
  const file = csv([['Name', 'Shelf', 'Key'], ...upTo(30).map((place) => [`Reel ${place}`, 'FILE', 'FILE-99'])]);
  const imported = await send(program, body.token, '/books/import', file, {}, 'reels.csv');
  expect(imported).toMatchObject({ body: { imported: 30 } });
  const stored = (await owner<Row[]>('GET', `/books?shelf_id=${shelf_id}&sort_by=id`)).body;
  expect(stored.map(({ name, key }) => [name, key])).toEqual(
    upTo(30).map((place) => [`Reel ${place}`, `FILE-${place}`]),
  );
});

test('a unique index guards the keys', async () => {
  expect(await query(`select indexdef from pg_indexes where tablename = 'books' and indexname like 'ux%'`)).toEqual([
    { indexdef: expect.stringContaining('COALESCE(shelf_id, (0)::bigint), lower(key)') },
  ]);
});
