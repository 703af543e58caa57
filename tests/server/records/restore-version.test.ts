import { afterAll, beforeAll, expect, test } from 'vitest';
import type { Source } from '../../../src/engine/language/source';
import { sourceOf } from '../../support/definitions';
import { accounts, startFixtureProgram, type Client, type DemoProgram } from '../../support/program';

const shelves: Source = sourceOf('shelves', { name: {} }, { scope: 'company', grants: { '4': 'all' } });
const books: Source = sourceOf(
  'books',
  {
    name: { type: 'text', required: true, unique: true },
    note: { type: 'richText' },
    price: { type: 'number' },
    shelf_id: { type: 'relation', to: 'shelves', onDelete: 'clear' },
    cover: { type: 'image' },
    parts: { type: 'rows', fields: { title: { type: 'text', required: true }, pages: { type: 'number' } } },
  },
  {
    scope: 'company',
    grants: { '4': 'all', '5': 'read', '6': 'all' },
    rules: [{ levels: [4], action: 'edit', fields: ['price'], reason: 'only the price' }],
  },
);

interface Entry {
  id: number;
  event: string;
  restored_version?: number;
  new_values: Record<string, unknown> | null;
}
type Book = Record<string, unknown> & { id: number; updated_at: string; parts: Record<string, unknown>[] };

let demo: DemoProgram;
let owner: Client;

const make = async (path: string, body: object): Promise<Book> => {
  const answer = await owner<Book>('POST', path, body);
  expect(answer.status, JSON.stringify(answer.body)).toBe(201);
  return answer.body;
};
const change = async (id: number, body: object): Promise<Book> => {
  const answer = await owner<Book>('PUT', `/books/${id}`, body);
  expect(answer.status, JSON.stringify(answer.body)).toBe(200);
  return answer.body;
};
/** The changes of a book, the first one first. */
const versions = async (id: number): Promise<Entry[]> =>
  (await owner<{ data: Entry[] }>('GET', `/books/${id}/history`)).body.data.toReversed();
const restore = (client: Client, id: number, version: number, body: object = {}) =>
  client<Book & { message: string; code: string; errors: Record<string, string> }>(
    'POST',
    `/books/${id}/history/${version}/restore`,
    body,
  );

beforeAll(async () => {
  demo = await startFixtureProgram();
  owner = await demo.signIn(accounts.owner);
  const admin = await demo.signIn(accounts.admin);
  for (const definition of [shelves, books]) {
    const answer = await admin('POST', '/modules', { definition });
    expect(answer.status, JSON.stringify(answer.body)).toBe(201);
  }
});
afterAll(() => demo?.close());

test('a version is brought back with its rows over all later changes, as a change of its own, and taken back so', async () => {
  const shelf = await make('/shelves', { name: 'Upper' });
  const first = await make('/books', {
    name: 'Salt',
    note: '<p>One</p>',
    price: 1,
    shelf_id: shelf.id,
    parts: [{ title: 'A', pages: 10 }, { title: 'B' }],
  });
  await change(first.id, { price: 2, parts: [{ title: 'C' }] });
  const third = await change(first.id, { name: 'Salt II', note: '<p>Two</p>', shelf_id: null, price: 3 });
  const [created, , latest] = await versions(first.id);
  const { status, body } = await restore(owner, first.id, created!.id, { updated_at: third.updated_at });
  expect(status, JSON.stringify(body)).toBe(200);
  expect(body).toMatchObject({ name: 'Salt', note: '<p>One</p>', price: 1, shelf_id: shelf.id });
  expect(body.parts).toMatchObject([
    { title: 'A', pages: 10 },
    { title: 'B', pages: null },
  ]);
  expect((await versions(first.id)).map(({ event, restored_version }) => [event, restored_version])).toEqual([
    ['created', undefined],
    ['updated', undefined],
    ['updated', undefined],
    ['updated', 1],
  ]);
  const undone = await restore(owner, first.id, latest!.id);
  expect(undone.body).toMatchObject({ name: 'Salt II', price: 3, shelf_id: null });
  expect(undone.body.parts).toMatchObject([{ title: 'C' }]);
  // Restoring what is there changes nothing.
  const all = await versions(first.id);
  expect((await restore(owner, first.id, all.at(-1)!.id)).status).toBe(200);
  expect(await versions(first.id)).toHaveLength(all.length);
});

test('a version with values that are refused now changes nothing, and the refusal names deleted records', async () => {
  const shelf = await make('/shelves', { name: 'Lower' });
  const book = await make('/books', { name: 'Pepper', shelf_id: shelf.id });
  await change(book.id, { name: 'Pepper II', shelf_id: null });
  await make('/books', { name: 'Pepper' });
  const [created] = await versions(book.id);
  const taken = await restore(owner, book.id, created!.id);
  expect([taken.status, Object.keys(taken.body.errors)]).toEqual([422, ['name']]);
  expect((await owner('DELETE', `/shelves/${shelf.id}`)).status).toBe(200);
  const { status, body } = await restore(owner, book.id, created!.id);
  expect(status).toBe(422);
  expect(body.errors.shelf_id).toMatch(new RegExp(`#${shelf.id} of that version was deleted`));
  expect((await owner<Book>('GET', `/books/${book.id}`)).body).toMatchObject({ name: 'Pepper II', shelf_id: null });
  expect(await versions(book.id)).toHaveLength(2);
});

test('of two people at once the second is told that the record has changed', async () => {
  const book = await make('/books', { name: 'Mint', price: 1 });
  const seen = await change(book.id, { price: 2 });
  const [created] = await versions(book.id);
  const both = await Promise.all(
    [1, 2].map(() => restore(owner, book.id, created!.id, { updated_at: seen.updated_at })),
  );
  expect(both.map(({ status }) => status).toSorted()).toEqual([200, 409]);
  expect(both.find(({ status }) => status === 409)!.body.code).toBe('CONFLICT_STALE');
});

test('a restored version has only fields that the caller may write, and shows none that they may not see', async () => {
  const book = await make('/books', { name: 'Sage', price: 1 });
  await change(book.id, { name: 'Sage II', price: 2 });
  const [created] = await versions(book.id);
  const developer = await demo.signIn(accounts.developer);
  const { status, body } = await restore(developer, book.id, created!.id);
  expect(status, JSON.stringify(body)).toBe(200);
  expect(body).toMatchObject({ name: 'Sage II', price: 1 });
  expect((await restore(await demo.signIn(accounts.qa), book.id, created!.id)).status).toBe(403);
  const admin = await demo.signIn(accounts.admin);
  expect((await restore(admin, book.id, created!.id)).status).toBe(200);
  expect((await restore(await demo.signIn(accounts.harbour), book.id, created!.id)).status).toBe(404);
  const other = await make('/books', { name: 'Thyme' });
  const [foreign] = await versions(other.id);
  for (const wrong of [foreign!.id, 999_999_999, 0, -1])
    expect((await restore(owner, book.id, wrong)).status, String(wrong)).toBe(404);
  expect((await restore(owner, book.id, created!.id, { name: 'x' })).status).toBe(400);
  expect((await restore(owner, book.id, created!.id, { updated_at: 'yesterday' })).status).toBe(422);
});

test('the API document has the call for those who may edit', async () => {
  const pathsFor = async (client: Client) =>
    Object.keys((await client<{ paths: object }>('GET', '/openapi.json')).body.paths);
  expect(await pathsFor(owner)).toContain('/books/{id}/history/{version}/restore');
  expect(await pathsFor(await demo.signIn(accounts.qa))).not.toContain('/books/{id}/history/{version}/restore');
});
