// @module-tag slow
import { afterAll, beforeAll, expect, test } from 'vitest';
import { sourceOf } from '../../support/definitions';
import { password } from '../../support/accounts';
import { accounts, startFixtureProgram, type Client, type DemoProgram } from '../../support/program';
import { book, send } from '../imports/files';
import { studioOf } from './studio';

let program: DemoProgram;
let studios: Record<keyof typeof accounts, Client>;
let books: number[];

const definition = sourceOf(
  'books',
  {
    name: { required: true },
    pages: { type: 'number', integer: true },
    studio_id: { type: 'relation', to: 'studios', label: 'Studio', embed: 'studio' },
  },
  { scope: 'company', labels: { one: 'Book', many: 'Books' }, import: {} },
);

// Everybody is signed in before there is such a module, and nobody signs in again.
beforeAll(async () => {
  program = await startFixtureProgram();
  const names = Object.keys(accounts) as (keyof typeof accounts)[];
  const signedIn = await Promise.all(names.map(async (name) => [name, await program.signIn(accounts[name])] as const));
  studios = Object.fromEntries(signedIn) as typeof studios;
  for (const call of Object.values(studios)) expect((await call('GET', '/books')).status).toBe(404);
  expect((await studios.admin('POST', '/modules', { definition })).status).toBe(201);
  books = [];
  for (const [name, call] of [
    ['Emma', studios.owner],
    ['Persuasion', studios.manager],
    ['Moby Dick', studios.harbour],
  ] as const) {
    const made = await call<{ id: number }>('POST', '/books', { name, pages: 400 + books.length });
    expect(made.status, JSON.stringify(made.body)).toBe(201);
    books.push(made.body.id);
  }
});
afterAll(() => program?.close());

const names = (rows: { name: string }[]) => rows.map(({ name }) => name).sort();

test('levels 1 to 3 do everything in their company, levels 4 to 6 nothing', async () => {
  const lists = {
    admin: ['Emma', 'Moby Dick', 'Persuasion'],
    owner: ['Emma', 'Persuasion'],
    manager: ['Emma', 'Persuasion'],
    harbour: ['Moby Dick'],
  } as const;
  for (const [name, expected] of Object.entries(lists)) {
    const call = studios[name as keyof typeof lists];
    expect(names((await call<{ name: string }[]>('GET', '/books')).body), name).toEqual(expected);
  }
  for (const name of ['developer', 'qa', 'external'] as const) {
    expect((await studios[name]('GET', '/books')).status, name).toBe(403);
    expect((await studios[name]('POST', '/books', { name: 'No' })).status, name).toBe(403);
    expect((await studios[name]('GET', `/books/${books[0]}`)).status, name).toBe(403);
  }
  expect((await studios.harbour('PUT', `/books/${books[0]}`, { pages: 1 })).status).toBe(404);
  const { body } = await studios.owner<{ data: { role_id: number; level: number; modulePermission: string[] }[] }>(
    'GET',
    '/permissions',
  );
  for (const { level, modulePermission } of body.data) {
    const held = modulePermission.filter((id) => id.startsWith('books.'));
    expect(held, `level ${level}`).toHaveLength(level <= 3 ? 5 : 0);
  }
});

test('its screens are sent to users who may see them, and to nobody else', async () => {
  const shown = async (call: Client) =>
    (await call<{ data: { name: string }[] }>('GET', '/definitions')).body.data.map(({ name }) => name);
  expect(await shown(studios.manager)).toContain('books');
  expect(await shown(studios.harbour)).toContain('books');
  expect(await shown(studios.qa)).not.toContain('books');
});

test('records are created, read, updated, deleted, searched, sorted, and their choices listed', async () => {
  const call = studios.manager;
  const [client] = (await call<{ data: { id: number; title: string }[] }>('GET', '/books/choices/studio_id')).body.data;
  const made = await call<{ id: number }>('POST', '/books', { name: 'Sanditon', studio_id: client!.id });
  expect(await call('GET', `/books/${made.body.id}`)).toMatchObject({
    status: 200,
    body: { studio: { id: client!.id } },
  });
  expect((await call('POST', '/books', { pages: 1.5 })).body).toMatchObject({
    errors: { name: expect.any(String), pages: expect.any(String) },
  });
  expect((await call('PUT', `/books/${made.body.id}`, { pages: 7 })).status).toBe(200);
  const history = await call<{ data: { event: string; user: { name: string } }[] }>(
    'GET',
    `/books/${made.body.id}/history`,
  );
  expect(history.body.data.map(({ event }) => event)).toEqual(['updated', 'created']);
  expect(names((await call<{ name: string }[]>('GET', '/books?q=sandi')).body)).toEqual(['Sanditon']);
  expect((await call<{ name: string }[]>('GET', '/books?sort=["pages","DESC"]&range=[0,0]')).body).toMatchObject([
    { name: 'Persuasion' },
  ]);
  expect((await call('DELETE', `/books/${made.body.id}`)).status).toBe(200);
});

test('it is exported and imported', async () => {
  const csv = await studios.owner<string>('GET', '/books-export?columns=name,pages&sort_by=name&format=csv');
  expect(csv.body).toBe('\uFEFFName,Pages\r\nEmma,400\r\nPersuasion,401\r\n');
  const { body } = await program.call<{ token: string }>('POST', '/login', { email: accounts.owner, password });
  const file = book([
    ['Name', 'Pages'],
    ['Northanger Abbey', 300],
  ]);
  expect((await send(program, body.token, '/books/import', file)).body).toMatchObject({ success: true, imported: 1 });
  expect((await studios.owner<object[]>('GET', '/books?q=northanger')).body).toMatchObject([{ pages: 300 }]);
});

test('its routes are described to users who may call them', async () => {
  const paths = async (call: Client) => Object.keys((await call<{ paths: object }>('GET', '/openapi.json')).body.paths);
  expect(await paths(studios.owner)).toEqual(expect.arrayContaining(['/books', '/books/{id}']));
  expect((await paths(studios.qa)).filter((path) => path.startsWith('/books'))).toEqual([]);
  expect(await paths(studios.admin)).toEqual(
    expect.arrayContaining(['/modules', '/modules/{name}', '/modules/{name}/plan']),
  );
  expect((await paths(studios.owner)).filter((path) => path.startsWith('/modules'))).toEqual([]);
});

test('it can be granted, and the next version does not repeat default grants', async () => {
  const roles = (
    await studios.owner<{ data: { role_id: number; level: number; modulePermission: string[] }[] }>(
      'GET',
      '/permissions',
    )
  ).body.data;
  const studio = studioOf(studios.admin);
  const count = async () =>
    (await program.program.database.pool.query(`select count(*)::int as n from assay.grants where module = 'books'`))
      .rows[0] as object;
  expect(roles.length).toBeGreaterThan(4);
  const before = await count();
  await program.program.database.pool.query(`delete from assay.grants where module = 'books' and action = 'delete'`);
  const taken = await count();
  expect(taken).not.toEqual(before);
  await studio.publish('books', ({ fields }) => void (fields.isbn = {}));
  expect(await count()).toEqual(taken);
});
