// @module-tag slow
import { cpSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { Source } from '../../../src/engine/language/source';
import { migrations } from '../../../src/server/database/migrations';
import type { Migration } from '../../../src/server/database/migrations/migration';
import { assertSystemNamesAreFree } from '../../../src/server/definitions/system-names';
import { createTestDatabase } from '../../support/database';
import { sourceOf } from '../../support/definitions';
import { accounts, startFixtureProgram, type Client, type DemoProgram } from '../../support/program';
import { studioOf } from '../modules/studio';

// A program in whose studio lamps were made, and folders of its next version, whose system has lamps too.
let demo: DemoProgram;
let admin: Client;
let owner: Client;
let folder: string;
let folders: { system: string; product: string };
const lamps = sourceOf('lamps', { name: {} }, { scope: 'company' });

const write = (path: string, source: Source) => writeFileSync(path, JSON.stringify(source));
const upgrade = () => assertSystemNamesAreFree(demo.program.database.kysely, folders);

beforeAll(async () => {
  demo = await startFixtureProgram();
  [admin, owner] = [await demo.signIn(accounts.admin), await demo.signIn(accounts.owner)];
  folder = mkdtempSync(join(tmpdir(), 'assay-names-'));
  folders = { system: join(folder, 'system'), product: join(folder, 'product') };
  cpSync('system', folders.system, { recursive: true });
  mkdirSync(folders.product);
});
afterAll(async () => {
  await demo?.close();
  rmSync(folder, { recursive: true, force: true });
});

test('a module of the studio whose name the system has now is renamed in the version before, with its records', async () => {
  const studio = studioOf(admin);
  await studio.make('lamps');
  expect((await owner('POST', '/lamps', { name: 'Desk lamp' })).status).toBe(201);
  await upgrade();
  write(join(folders.system, 'lamps.json'), lamps);
  const message =
    /^The module "lamps" that was created in the studio: this version .*Nothing was changed\. .*"formerName": "lamps"/;
  await expect(upgrade()).rejects.toThrow(message);

  // What the message says.
  const { definition } = await studio.module('lamps');
  expect((await studio.remove('lamps')).status).toBe(200);
  await expect(upgrade()).rejects.toThrow(message);
  const renamed = { ...definition, name: 'own-lamps', formerName: 'lamps' };
  expect((await admin('POST', '/modules', { definition: renamed })).status).toBe(201);
  // With the permissions that the module had.
  const { body } = await owner<{ name: string }[]>('GET', '/own-lamps');
  expect(body.map(({ name }) => name)).toEqual(['Desk lamp']);
  await upgrade();
  rmSync(join(folders.system, 'lamps.json'));
});

test('a definition in a file is renamed by the version before, too', async () => {
  expect((await admin('POST', '/modules', { definition: sourceOf('fans', { name: {} }) })).status).toBe(201);
  const own = join(folders.product, 'fans.json');
  write(own, sourceOf('fans', { name: {} }));
  await upgrade();
  const shipped = join(folders.system, 'fans.json');
  write(shipped, sourceOf('fans', { name: {} }));
  await expect(upgrade()).rejects.toThrow(/fans\.json: this version .* Give the file and the definition another name/);
  rmSync(own);
  const renamed = join(folders.product, 'own-fans.json');
  write(renamed, sourceOf('own-fans', { name: {} }, { formerName: 'fans' }));
  await expect(upgrade()).rejects.toThrow(/own-fans\.json: .* with this file: it renames the table/);
  rmSync(renamed);
  rmSync(shipped);
});

test('the program does not start on it, and changes nothing', async () => {
  const database = await createTestDatabase();
  const product = mkdtempSync(join(tmpdir(), 'assay-names-'));
  try {
    cpSync('tests/fixtures/product/resources', product, { recursive: true });
    await (await startFixtureProgram({ folder: product, database })).close();
    const applied = 'select name from assay.migrations order by name desc limit 1';
    const before = (await database.database.pool.query(applied)).rows;
    // As the version before left it.
    (migrations as Migration[]).push({ name: '9999-next', sql: 'select 1' });
    write(join(product, 'pages.json'), sourceOf('pages', { name: {} }));
    await expect(startFixtureProgram({ folder: product, database })).rejects.toThrow(
      /pages\.json: this version of the program has a module "pages" itself/,
    );
    expect((await database.database.pool.query(applied)).rows).toEqual(before);
  } finally {
    (migrations as Migration[]).pop();
    await database.close();
    rmSync(product, { recursive: true, force: true });
  }
});
