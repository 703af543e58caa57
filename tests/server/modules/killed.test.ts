// @module-tag slow
import pg from 'pg';
import { afterAll, afterEach, beforeAll, beforeEach, expect, inject, test, vi } from 'vitest';
import { createTestDatabase, type TestDatabase } from '../../support/database';
import { sourceOf } from '../../support/definitions';
import { startServerProcess, type ServerProcess } from './server-process';
import { studioOf } from './studio';

let database: TestDatabase;
let server: ServerProcess;
let own: pg.Client;

beforeAll(async () => {
  database = await createTestDatabase(inject('demo'));
  server = await startServerProcess(database.url);
});
afterAll(async () => {
  await server?.kill();
  await database?.close();
});
beforeEach(async () => {
  own = new pg.Client(database.url);
  await own.connect();
});
afterEach(() => own.end());

const columns = async (table: string) =>
  (
    await own.query(
      `select attname as name from pg_attribute where attrelid = to_regclass('public.${table}') and attnum > 0 and not attisdropped`,
    )
  ).rows.map(({ name }) => String(name));

/**
 * Kills the server in the middle of a publication: its tables are changed already, and it waits for the test to let go
 * of the table that its version is written to.
 */
async function killWhile(publication: () => Promise<unknown>): Promise<void> {
  await own.query('begin; lock table assay.modules in share mode');
  const given = publication().then(
    () => 'answered',
    () => 'cut off',
  );
  const waiting = `select from pg_locks where not granted and relation = 'assay.modules'::regclass`;
  await vi.waitFor(async () => expect((await database.database.pool.query(waiting)).rowCount).toBe(1));
  await server.kill();
  await own.query('rollback');
  expect(await given).toBe('cut off');
}

const book = sourceOf('books', { name: {}, size: {} }, { scope: 'installation' });

test('a server that is killed while it creates a resource leaves nothing of it', async () => {
  await killWhile(() => server.admin('POST', '/modules', { definition: book }));
  server = await startServerProcess(database.url);
  expect((await server.admin('GET', '/modules/books')).status).toBe(404);
  expect((await server.admin('GET', '/books')).status).toBe(404);
  expect(await columns('books')).toEqual([]);
  expect((await own.query(`select from assay.grants where module = 'books'`)).rowCount).toBe(0);
  expect((await server.admin('POST', '/modules', { definition: book })).status).toBe(201);
});

test('a server that is killed while it changes a resource leaves the old version intact', async () => {
  const studio = studioOf(server.admin);
  expect((await server.admin('POST', '/books', { name: 'Emma', size: '12' })).status).toBe(201);
  const before = await studio.module('books');
  const fields = { name: {}, size: { type: 'number' as const }, pages: {} };
  await killWhile(() =>
    server.admin('PUT', '/modules/books', { definition: { ...book, fields }, version: 1, confirm: true }),
  );
  server = await startServerProcess(database.url);
  const anew = studioOf(server.admin);
  expect(await anew.module('books')).toEqual(before);
  expect(await anew.versions('books')).toHaveLength(1);
  expect(await columns('books')).not.toContain('pages');
  expect((await server.admin('GET', '/books')).body).toMatchObject([{ name: 'Emma', size: '12' }]);
  expect(await anew.publish('books', ({ fields }) => void (fields.pages = {}))).toMatchObject({ version: 2 });
});

test('a server that is killed during the commit leaves the new version intact', async () => {
  await own.query('listen assay_definitions');
  const committed = new Promise<void>((done) => own.once('notification', () => done()));
  const { definition, version } = await studioOf(server.admin).module('books');
  const fields = { ...definition.fields, isbn: {} };
  const given = server.admin('PUT', '/modules/books', { definition: { ...definition, fields }, version });
  given.catch(() => undefined);
  await committed;
  await server.kill();
  server = await startServerProcess(database.url);
  const studio = studioOf(server.admin);
  expect(await studio.module('books')).toMatchObject({ version: version + 1, definition: { fields: { isbn: {} } } });
  expect((await studio.versions('books')).map(({ event }) => event)).toEqual(Array(version + 1).fill('published'));
  expect(await columns('books')).toContain('isbn');
  expect((await server.admin('POST', '/books', { name: 'Persuasion', isbn: '1' })).status).toBe(201);
});
