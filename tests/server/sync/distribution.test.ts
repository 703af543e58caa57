import { afterAll, beforeAll, expect, test } from 'vitest';
import { distributionStatements, placeTables, readCatalogue } from '../../../src/server/sync/distribution';
import { createTestDatabase, type TestDatabase } from '../../support/database';
import { registryOf, sourceOf } from '../../support/definitions';
import { syncTables } from '../../support/sync-tables';

let testDatabase: TestDatabase;
beforeAll(async () => {
  testDatabase = await createTestDatabase();
});
afterAll(() => testDatabase.close());

const query = async (text: string) => (await testDatabase.database.pool.query(text)).rows as Record<string, unknown>[];

const sites = sourceOf('sites', { name: {} }, { scope: 'self' });
const colours = sourceOf('colours', { name: {} }, { scope: 'installation' });
const authors = sourceOf('authors', { name: {}, colour_id: { type: 'relation', to: 'colours' } }, { scope: 'company' });
const books = sourceOf(
  'books',
  { name: {}, author_id: { type: 'relation', to: 'authors' }, editor_ids: { type: 'relations', to: 'authors' } },
  { scope: 'company' },
);

/** The functions and the catalogue of a cluster, which note what is asked of them. */
const cluster = `
  create schema cluster;
  create table cluster.placed (place integer generated always as identity, logicalrelid regclass, call text);
  create view public.pg_dist_partition as select logicalrelid from cluster.placed;
  create function public.create_reference_table(name regclass) returns void language sql
    as $$ insert into cluster.placed (logicalrelid, call) values (name, 'copy ' || name) $$;
  create function public.create_distributed_table(name regclass, col text, colocate_with text default 'default') returns void
    language sql as $$ insert into cluster.placed (logicalrelid, call) values (name, 'spread ' || name || ' by ' || col) $$;`;

const calls = async (pattern: string) =>
  (await query('select call from cluster.placed order by place'))
    .map(({ call }) => String(call))
    .filter((call) => call.includes(pattern));
const foreignKeys = async (table: string) =>
  (
    await query(`select pg_get_constraintdef(oid) as text from pg_constraint
      where contype = 'f' and conrelid = 'public.${table}'::regclass order by 1`)
  ).map(({ text }) => String(text).replace(' DEFERRABLE', ''));

test('in a cluster, new tables are spread over its servers before others refer to them, and once', async () => {
  await query(cluster);
  await syncTables(testDatabase.database, registryOf(sites, colours));
  // It was not asked for yet.
  expect(await calls('')).toEqual([]);
  await syncTables(testDatabase.database, registryOf(sites, colours, authors));
  for (const statement of distributionStatements(placeTables(await readCatalogue(testDatabase.database.kysely))))
    await query(statement);
  expect(await calls('')).toEqual(expect.arrayContaining(['copy sites', 'copy colours', 'spread authors by site_id']));
  expect(await calls('history by')).toHaveLength(1);
  expect(await calls('tokens')).toEqual([]);
  const before = (await calls('')).length;
  await syncTables(testDatabase.database, registryOf(sites, colours, authors, books));
  expect((await calls('')).slice(before).toSorted()).toEqual([
    'spread books by site_id',
    'spread books__editor_ids by site_id',
  ]);
  expect(await foreignKeys('books__editor_ids')).toEqual([
    'FOREIGN KEY (site_id, record_id) REFERENCES books(site_id, id) ON DELETE CASCADE',
    'FOREIGN KEY (site_id, target_id) REFERENCES authors(site_id, id)',
  ]);
  expect(await foreignKeys('authors')).toContain('FOREIGN KEY (colour_id) REFERENCES colours(id)');
});
