// @module-tag slow
import { afterEach, beforeEach, expect, test } from 'vitest';
import pg from 'pg';
import { createRowQueries } from '../../../src/server/sync/row-queries';
import { syncTables } from '../../support/sync-tables';
import { createTestDatabase, type TestDatabase } from '../../support/database';
import { registryOf, sourceOf } from '../../support/definitions';

let own: TestDatabase;
let other: pg.Client;
beforeEach(async () => {
  own = await createTestDatabase();
  other = new pg.Client(own.url);
  await other.connect();
});
afterEach(async () => {
  await other.end();
  await own.close();
});

const books = (...names: string[]) =>
  registryOf(sourceOf('books', Object.fromEntries(names.map((name) => [name, {}]))));

test('a change of a table waits for its users, and runs when the table is free', async () => {
  await syncTables(own.database, books('name'));
  await other.query('begin');
  await other.query('select * from books');
  let done = false;
  const changing = syncTables(own.database, books('name', 'pages')).finally(() => (done = true));
  // Each waits behind the change at most as long as one try takes, while the reader goes on.
  for (let turn = 0; turn < 8; turn++) {
    const began = performance.now();
    await own.database.pool.query('select name from books');
    expect(performance.now() - began).toBeLessThan(3_000);
    await other.query('select name from books');
  }
  expect(done).toBe(false);
  await other.query('commit');
  expect((await changing).appliedSteps.map(({ kind }) => kind)).toContain('addColumn');
  expect((await own.database.pool.query('select pages from books')).rows).toEqual([]);
});

test('two changes and a transaction that uses both tables in the other order end without a deadlock', async () => {
  const two = (...names: string[]) =>
    registryOf(...['alphas', 'betas'].map((one) => sourceOf(one, Object.fromEntries(names.map((name) => [name, {}])))));
  await syncTables(own.database, two('name'));
  await other.query('begin');
  await other.query("insert into betas (name) values ('b')");
  const changing = syncTables(own.database, two('name', 'pages'));
  while ((await own.database.pool.query('select from pg_locks where not granted')).rowCount === 0);
  await other.query("insert into alphas (name) values ('a')");
  await other.query('commit');
  await changing;
  expect((await own.database.pool.query('select pages from alphas join betas using (pages)')).rows).toEqual([]);
  expect((await own.database.pool.query('select name from alphas')).rows).toEqual([{ name: 'a' }]);
});

test('a count that takes too long is canceled, and its transaction continues', async () => {
  const { kysely } = own.database;
  expect(await createRowQueries(kysely, 50).count('select from pg_sleep(5)')).toBeUndefined();
  await kysely.transaction().execute(async (trx) => {
    expect(await createRowQueries(trx, 50).count('select from pg_sleep(5)')).toBeUndefined();
    expect(await createRowQueries(trx, 2_000).count('select from generate_series(1, 3)')).toBe(3);
    expect(await createRowQueries(trx, 2_000).ids('select 7 as id')).toEqual([7]);
  });
});
