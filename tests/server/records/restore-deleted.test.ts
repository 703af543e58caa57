import { sql } from 'kysely';
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { Source } from '../../../src/engine/language/source';
import { purgeDeletions } from '../../../src/server/records/write/deletions';
import { sweepFiles } from '../../../src/server/files/sweep';
import { passUndoHour } from '../../support/deletions';
import { sourceOf } from '../../support/definitions';
import { accounts, startFixtureProgram, type Client, type DemoProgram } from '../../support/program';

const grants = { '4': 'all', '5': 'read' } as const;
const shelves: Source = sourceOf('shelves', { name: {} }, { scope: 'company', grants });
const topics: Source = sourceOf('topics', { name: {} }, { scope: 'company', grants });
const books: Source = sourceOf(
  'books',
  {
    name: { type: 'text', required: true, unique: 'company' },
    number: { type: 'sequence', format: 'B-{n}', partitionBy: 'company' },
    price: { type: 'number' },
    shelf_id: { type: 'relation', to: 'shelves' },
    before_id: { type: 'relation', to: 'books', onDelete: 'clear', maxDepth: 5 },
    topics: { type: 'relations', to: 'topics' },
    cover: { type: 'image' },
    parts: {
      type: 'rows',
      fields: { title: { type: 'text' }, topic_id: { type: 'relation', to: 'topics', onDelete: 'clear' } },
    },
  },
  {
    labels: { one: 'Book', many: 'Books' },
    scope: 'company',
    comments: true,
    grants,
    rules: [
      {
        levels: [4],
        action: ['list', 'view', 'edit', 'delete'],
        where: { created_by: '$actor.id' },
        reason: 'only your own',
      },
    ],
  },
);
const leaves: Source = sourceOf(
  'leaves',
  { name: {}, book_id: { type: 'relation', to: 'books', onDelete: 'cascade' } },
  { labels: { one: 'Leaf', many: 'Leaves' }, scope: 'company', grants },
);
const boxes: Source = sourceOf('boxes', { name: {} }, { scope: 'company', grants, delete: { keep: true } });

const onePixel = Buffer.from(
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==',
  'base64',
);
type Item = Record<string, unknown> & { id: number };
interface Refusal {
  message: string;
  code: string;
}

let demo: DemoProgram;
let owner: Client;
let reader: Client;
let developer: Client;
let neighbour: Client;

const make = async (path: string, body: object, client = owner): Promise<Item> => {
  const answer = await client<Item>('POST', path, body);
  expect(answer.status, JSON.stringify(answer.body)).toBe(201);
  return answer.body;
};
const remove = async (path: string, client = owner) => {
  const answer = await client('DELETE', path);
  expect(answer.status, JSON.stringify(answer.body)).toBe(200);
};
const read = async (path: string, client = owner) => (await client<Item>('GET', path)).body;
const bringBack = (module: string, ids: unknown, client = owner) =>
  client<{ data: Item[] } & Refusal>('POST', `/${module}/restore`, { ids });
const history = async (path: string) =>
  (await owner<{ data: { id: number; event: string }[] }>('GET', `${path}/history`)).body.data;
/** Everything that is kept of deletions. */
const countKept = async () =>
  (
    await sql<{ n: number }>`select ((select count(*) from assay.deletions) + (select count(*) from assay.deleted_rows)
    + (select count(*) from assay.deleted_files))::integer as n`.execute(demo.program.database.kysely)
  ).rows[0]!.n;

beforeAll(async () => {
  demo = await startFixtureProgram();
  owner = await demo.signIn(accounts.owner);
  reader = await demo.signIn(accounts.qa);
  developer = await demo.signIn(accounts.developer);
  neighbour = await demo.signIn(accounts.harbour);
  const admin = await demo.signIn(accounts.admin);
  for (const definition of [shelves, topics, books, leaves, boxes]) {
    const answer = await admin('POST', '/modules', { definition });
    expect(answer.status, JSON.stringify(answer.body)).toBe(201);
  }
});
afterAll(() => demo?.close());

test('a deleted record is back as it was: number, rows, relations both ways, history, comments, files and what was deleted with it', async () => {
  const shelf = await make('/shelves', { name: 'Upper' });
  const [sea, land] = [await make('/topics', { name: 'Sea' }), await make('/topics', { name: 'Land' })];
  const book = await make('/books', {
    name: 'Salt',
    price: 12.5,
    shelf_id: shelf.id,
    topics: [sea.id, land.id],
    parts: [{ title: 'A', topic_id: sea.id }, { title: 'B' }],
  });
  const path = `/books/${book.id}`;
  const sequel = await make('/books', { name: 'Salt II', before_id: book.id });
  const page = await make('/leaves', { name: 'One', book_id: book.id });
  expect((await owner('POST', `${path}/comments`, { text: '<p>Read it</p>' })).status).toBe(201);
  expect((await owner('PUT', path, { price: 13.75 })).status).toBe(200);
  const [before, changes] = [await read(path), await history(path)];

  await remove(path);
  expect((await owner('GET', path)).status).toBe(404);
  expect((await owner('GET', `/leaves/${page.id}`)).status).toBe(404);
  expect((await read(`/books/${sequel.id}`)).before_id).toBeNull();
  const { status, body } = await bringBack('books', [book.id]);
  expect(status, JSON.stringify(body)).toBe(200);
  expect(body.data).toEqual([before]);

  expect(await read(path)).toEqual(before);
  expect(await read(`/leaves/${page.id}`)).toMatchObject({ name: 'One', book_id: book.id });
  expect((await read(`/books/${sequel.id}`)).before_id).toBe(book.id);
  expect((await owner<{ data: { text: string }[] }>('GET', `${path}/comments`)).body.data).toMatchObject([
    { text: '<p>Read it</p>' },
  ]);
  const now = await history(path);
  expect(now.map(({ event }) => event)).toEqual(['restored', 'deleted', ...changes.map(({ event }) => event)]);
  expect(now.slice(2)).toEqual(changes);
  expect(await countKept()).toBe(0);
  // It is there once: nothing can be brought back twice.
  expect((await bringBack('books', [book.id])).status).toBe(404);
  expect((await make('/books', { name: 'Another' })).number).not.toBe(before.number);
});

test('a record that was deleted when pairs and rows had no company comes back with them', async () => {
  const topic = await make('/topics', { name: 'Sky' });
  const book = await make('/books', { name: 'Wind', topics: [topic.id], parts: [{ title: 'A', topic_id: topic.id }] });
  const before = await read(`/books/${book.id}`);
  await remove(`/books/${book.id}`);
  await sql`update assay.deleted_rows set row = row - 'site_id'
    where source in ('public.books__topics', 'public.books__parts')`.execute(demo.program.database.kysely);
  const { status, body } = await bringBack('books', [book.id]);
  expect(status, JSON.stringify(body)).toBe(200);
  expect(await read(`/books/${book.id}`)).toEqual(before);
  await remove(`/books/${book.id}`);
  await sql`delete from assay.deletions`.execute(demo.program.database.kysely);
});

test('many come back together, whatever they refer to, or none of them', async () => {
  const first = await make('/books', { name: 'Volume 1' });
  const second = await make('/books', { name: 'Volume 2', before_id: first.id });
  const third = await make('/books', { name: 'Volume 3', before_id: second.id });
  const ids = [third.id, first.id, second.id];
  const answer = await owner('POST', '/books/bulk', { delete: ids });
  expect(answer.status, JSON.stringify(answer.body)).toBe(200);
  await make('/books', { name: 'VOLUME 2' });
  const refused = await bringBack('books', ids);
  expect(refused).toMatchObject({
    status: 409,
    body: { code: 'CONFLICT', message: 'This book cannot be brought back: Name is already taken.' },
  });
  for (const id of ids) expect((await owner('GET', `/books/${id}`)).status).toBe(404);
  const taken = (await owner<Item[]>('GET', '/books?name=VOLUME%202')).body.find(({ name }) => name === 'VOLUME 2')!;
  await remove(`/books/${taken.id}`);
  const { status, body } = await bringBack('books', ids);
  expect(status, JSON.stringify(body)).toBe(200);
  expect(body.data.map(({ id, before_id }) => [id, before_id])).toEqual([
    [third.id, second.id],
    [first.id, null],
    [second.id, first.id],
  ]);
});

test('a record is restored only with its required relations; optional ones to missing records are left empty', async () => {
  const shelf = await make('/shelves', { name: 'Lower' });
  const topic = await make('/topics', { name: 'Sky' });
  const former = await make('/books', { name: 'Former' });
  const book = await make('/books', {
    name: 'Later',
    shelf_id: shelf.id,
    before_id: former.id,
    parts: [{ title: 'A', topic_id: topic.id }],
  });
  for (const path of [`/books/${book.id}`, `/shelves/${shelf.id}`, `/topics/${topic.id}`, `/books/${former.id}`])
    await remove(path);
  expect(await bringBack('books', [book.id])).toMatchObject({
    status: 409,
    body: {
      code: 'CONFLICT_REFERENCED',
      message: 'This book cannot be brought back: Shelf was deleted in the meantime. Bring that back first.',
    },
  });
  expect((await bringBack('shelves', [shelf.id])).status).toBe(200);
  const { status, body } = await bringBack('books', [book.id]);
  expect(status, JSON.stringify(body)).toBe(200);
  expect(body.data[0]).toMatchObject({ shelf_id: shelf.id, before_id: null, parts: [{ title: 'A', topic_id: null }] });
});

test('only the user who deleted a record restores it, within the hour, and as long as they may see it', async () => {
  const book = await make('/books', { name: 'Mine' }, developer);
  await remove(`/books/${book.id}`, developer);
  const admin = await demo.signIn(accounts.admin);
  for (const [client, status] of [
    [neighbour, 404],
    [reader, 403],
    [owner, 404],
    [admin, 404],
  ] as const)
    expect((await bringBack('books', [book.id], client)).status).toBe(status);
  // Hostile bodies change nothing.
  for (const ids of [
    undefined,
    [],
    ['1'],
    [0],
    [1.5],
    'all',
    [2 ** 53],
    Array.from({ length: 1001 }, (_, at) => at + 1),
  ])
    expect((await bringBack('books', ids, developer)).status).toBe(400);
  expect((await bringBack('books', [book.id, 999_999], developer)).status).toBe(404);
  const setCreator = (id: number) =>
    sql`update assay.deleted_rows set row = row || jsonb_build_object('created_by', ${id}::bigint)
      where source = 'public.books' and (row->>'id')::integer = ${book.id}`.execute(demo.program.database.kysely);
  const { rows } = await sql<{ id: number }>`select id from users where email = ${accounts.owner}`.execute(
    demo.program.database.kysely,
  );
  await setCreator(rows[0]!.id);
  expect((await bringBack('books', [book.id], developer)).status).toBe(404);
  await setCreator(book.created_by as number);
  const age = (interval: string) =>
    sql`update assay.deletions set created_at = now() - ${interval}::interval where resource = 'books' and record_id = ${book.id}`.execute(
      demo.program.database.kysely,
    );
  await age('61 minutes');
  expect((await bringBack('books', [book.id], developer)).body.message).toBe(
    'This book cannot be brought back: that is possible for an hour, for who deleted it.',
  );
  await age('10 minutes');
  expect((await bringBack('books', [book.id], developer)).status).toBe(200);
  // Two at once: one of them.
  await remove(`/books/${book.id}`, developer);
  const both = await Promise.all([bringBack('books', [book.id], developer), bringBack('books', [book.id], developer)]);
  expect(both.map(({ status }) => status).toSorted()).toEqual([200, 404]);
});

test('files stay with a deleted record for as long, out of everybody’s reach, and go for good with it', async () => {
  const { id } = await make('/books', { name: 'Pictured' });
  const form = new FormData();
  form.append('cover', new Blob([onePixel], { type: 'image/png' }), 'cover.png');
  const sent = new Response(form);
  const body = Buffer.from(await sent.arrayBuffer());
  const saved = await owner('PUT', `/books/${id}`, body, { 'content-type': sent.headers.get('content-type')! });
  expect(saved.status, JSON.stringify(saved.body)).toBe(200);
  const { url } = (await read(`/books/${id}`)).cover as { url: string };
  const fetchFile = async () => (await demo.app.inject({ method: 'GET', url })).statusCode;
  expect(await fetchFile()).toBe(200);
  await remove(`/books/${id}`);
  expect(await fetchFile()).toBe(404);
  const { database } = demo.program;
  await sql`update assay.files set created_at = now() - interval '2 days'`.execute(database.kysely);
  await sweepFiles(demo.program);
  await purgeDeletions(demo.program);
  expect((await bringBack('books', [id])).status).toBe(200);
  expect(await fetchFile()).toBe(200);
  await remove(`/books/${id}`);
  await passUndoHour(demo.program);
  await expect
    .poll(
      async () => (await sql`select from assay.files where resource = 'books'`.execute(database.kysely)).rows.length,
    )
    .toBe(0);
  expect(await countKept()).toBe(0);
  expect((await bringBack('books', [id])).status).toBe(404);
});

test('a module whose table has changed since says so; one that deletes for good has nothing to bring back', async () => {
  const page = await make('/leaves', { name: 'Two' });
  await remove(`/leaves/${page.id}`);
  const admin = await demo.signIn(accounts.admin);
  const wider = { ...leaves, fields: { ...leaves.fields, leaf: { type: 'number' } } };
  const answer = await admin('PUT', '/modules/leaves', { definition: wider, version: 1 });
  expect(answer.status, JSON.stringify(answer.body)).toBe(200);
  expect(await bringBack('leaves', [page.id])).toMatchObject({
    status: 409,
    body: { message: 'Leaves were changed in the studio since, so this cannot be brought back.' },
  });
  const box = await make('/boxes', { name: 'Kept' });
  await remove(`/boxes/${box.id}`);
  expect((await bringBack('boxes', [box.id])).status).toBe(404);
});
