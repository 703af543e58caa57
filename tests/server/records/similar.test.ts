import { afterAll, beforeAll, expect, test } from 'vitest';
import type { Source } from '../../../src/engine/language/source';
import { sourceOf } from '../../support/definitions';
import { accounts, startFixtureProgram, type Client, type DemoProgram } from '../../support/program';

const shelves: Source = sourceOf(
  'shelves',
  { name: {} },
  {
    scope: 'company',
    archive: true,
    grants: { '4': 'all', '6': 'all' },
  },
);
const books: Source = sourceOf(
  'books',
  {
    key: { type: 'sequence', format: 'B-{n}' },
    name: { type: 'text', required: true, similar: true },
    code: { type: 'text' },
    shelf_id: { type: 'relation', to: 'shelves', container: true },
  },
  {
    scope: 'company',
    grants: { '4': 'all', '5': 'read', '6': 'all' },
    rules: [{ levels: [6], action: ['list', 'view'], where: { created_by: '$actor.id' } }],
  },
);

interface Row {
  id: number;
}
interface Similar extends Row {
  title: string;
  key: string | null;
  similarity: number;
}

let demo: DemoProgram;
let admin: Client;
let owner: Client;
let upper: number;
let lower: number;
let salt: number;

async function made(client: Client, path: string, body: object): Promise<number> {
  const { status, body: record } = await client<Row>('POST', path, body);
  expect(status, JSON.stringify(record)).toBe(201);
  return record.id;
}

const similar = async (client: Client, text: string, more = '') => {
  const { status, body } = await client<{ data: Similar[] }>(
    'GET',
    `/books/similar/name?text=${encodeURIComponent(text)}${more}`,
  );
  expect(status, JSON.stringify(body)).toBe(200);
  return body.data;
};
const titles = async (...asked: Parameters<typeof similar>) => (await similar(...asked)).map(({ title }) => title);

beforeAll(async () => {
  demo = await startFixtureProgram();
  admin = await demo.signIn(accounts.admin);
  owner = await demo.signIn(accounts.owner);
  for (const definition of [shelves, books]) {
    const answer = await admin('POST', '/modules', { definition });
    expect(answer.status, JSON.stringify(answer.body)).toBe(201);
  }
  upper = await made(owner, '/shelves', { name: 'Upper' });
  lower = await made(owner, '/shelves', { name: 'Lower' });
  salt = await made(owner, '/books', { name: 'Salt, a history of the world', shelf_id: upper });
  await made(owner, '/books', { name: 'Pepper and its many friends', shelf_id: upper });
  await made(owner, '/books', { name: 'Salt: a history of the worlds', shelf_id: lower });
  await made(await demo.signIn(accounts.harbour), '/books', { name: 'Salt, a history of the world' });
});
afterAll(() => demo?.close());

test('records with a similar text are found, the most similar first, and also by the beginning of their text', async () => {
  const found = await similar(owner, 'salt a history of the WORLD');
  expect(found.map(({ title }) => title)).toEqual(['Salt, a history of the world', 'Salt: a history of the worlds']);
  expect(found[0]).toMatchObject({ id: salt, key: 'B-1' });
  expect(found[0]!.similarity).toBeGreaterThan(found[1]!.similarity);
  expect(await titles(owner, 'Pepper and its')).toEqual(['Pepper and its many friends']);
  for (const other of ['Sal', 'Vinegar in the kitchen', "%_'\\", '']) expect(await titles(owner, other)).toEqual([]);
});

test('relations to a container narrow the search, and the record itself is left out', async () => {
  expect(await titles(owner, 'Salt, a history of the world', `&shelf_id=${lower}`)).toEqual([
    'Salt: a history of the worlds',
  ]);
  expect(await titles(owner, 'Salt, a history of the world', `&record=${salt}`)).toEqual([
    'Salt: a history of the worlds',
  ]);
});

test('nobody learns of records that they may not list, of another company or by a rule', async () => {
  expect(await titles(await demo.signIn(accounts.harbour), 'Salt, a history of the world')).toEqual([
    'Salt, a history of the world',
  ]);
  const external = await demo.signIn(accounts.external);
  expect(await titles(external, 'Salt, a history of the world')).toEqual([]);
  await made(external, '/books', { name: 'Salt, a history of my world' });
  expect(await titles(external, 'Salt, a history of the world')).toEqual(['Salt, a history of my world']);
  // Who neither creates nor edits is filling in no form.
  expect((await (await demo.signIn(accounts.qa))('GET', '/books/similar/name?text=Salt')).status).toBe(403);
  const restricted = await demo.restricted();
  await restricted.grant(['books.create']);
  expect((await restricted.call('GET', '/books/similar/name?text=Salt')).status).toBe(403);
  await restricted.grant(['books.create', 'books.list']);
  expect((await restricted.call('GET', '/books/similar/name?text=Salt')).status).toBe(200);
});

test.each([
  ['/books/similar/code?text=Salt', 404],
  ['/books/similar/nothing?text=Salt', 404],
  ['/books/similar/__proto__?text=Salt', 404],
  ['/nothing/similar/name?text=Salt', 404],
  ['/books/similar/name', 400],
  [`/books/similar/name?text=${'a'.repeat(501)}`, 400],
  ['/books/similar/name?text=a%00bcd', 400],
  ['/books/similar/name?text=Salt&code=1', 400],
  ['/books/similar/name?text=Salt&shelf_id=x', 400],
  ['/books/similar/name?text=Salt&record=0', 400],
])('GET %s is %i', async (path, status) => expect((await owner('GET', path)).status).toBe(status));

test('the text has an index of trigrams, by which it is found', async () => {
  const { kysely } = demo.program.database;
  const rows = await kysely
    .withSchema('pg_catalog')
    .selectFrom('pg_indexes' as never)
    .select('indexdef' as never)
    .where('tablename' as never, '=', 'books' as never)
    .execute();
  expect(JSON.stringify(rows)).toContain('(name gin_trgm_ops)');
});

test('the API document has the call for those who may make it', async () => {
  const pathsFor = async (client: Client) =>
    Object.keys((await client<{ paths: object }>('GET', '/openapi.json')).body.paths);
  expect(await pathsFor(owner)).toContain('/books/similar/{field}');
  expect(await pathsFor(await demo.signIn(accounts.qa))).not.toContain('/books/similar/{field}');
});

test.each<[object, RegExp]>([
  [{ type: 'text', similar: true, secret: true }, /A secret text is not compared/],
  [{ type: 'text', similar: true, computed: '{code}!' }, /as it is stored/],
  [{ type: 'number', similar: true }, /similar/],
  [{ type: 'rows', fields: { part: { type: 'text', similar: true } } }, /Records are compared, not their rows/],
])('%j is refused with its remedy', async (field, message) => {
  const definition = { ...books, fields: { ...books.fields, more: field } };
  const { status, body } = await admin('PUT', '/modules/books', { definition, version: 1 });
  expect(status).toBe(422);
  expect(JSON.stringify(body)).toMatch(message);
});
