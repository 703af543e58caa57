// @module-tag slow
import { cpSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import pino from 'pino';
import { afterAll, beforeAll, describe, expect, inject, test, vi } from 'vitest';
import type { Source } from '../../../src/engine/language/source';
import type { Product } from '../../../src/server/program';
import { product as fixture } from '../../fixtures/product';
import { createTestDatabase, type TestDatabase } from '../../support/database';
import { sourceOf } from '../../support/definitions';
import { accounts, startFixtureProgram, type Client, type DemoProgram } from '../../support/program';
import { studioOf, type Studio } from './studio';

let database: TestDatabase;
let olderFolder: string;
let newerFolder: string;
let older: DemoProgram;
let newer: DemoProgram;
let olderStudio: Studio;
let newerStudio: Studio;
let olderOwner: Client;
let newerOwner: Client;
const lines: string[] = [];
const log = pino(
  { level: 'info' },
  { write: (text: string) => void lines.push((JSON.parse(text) as { msg: string }).msg) },
);

const company = { scope: 'company' } as const;
/** What the two versions ship beside what is the same in both. */
const olderSources: Source[] = [
  sourceOf(
    'gadgets',
    { name: {}, code: { type: 'text', unique: true }, notes: { type: 'textarea' }, size: { type: 'number' } },
    { ...company, indexes: [['size']] },
  ),
  sourceOf('moons', { name: {}, colour: {} }, company),
  sourceOf('tools', { name: {} }, company),
];
const newerSources: Source[] = [
  sourceOf(
    'gadgets',
    {
      name: {},
      code: { type: 'text' },
      notes: { type: 'textarea', searchable: true },
      size: { type: 'number' },
      studio_id: { type: 'relation', to: 'studios' },
      number: { type: 'sequence', format: 'G-{n}' },
    },
    { ...company, indexes: [['code']], unique: [{ fields: ['name', 'size'] }] },
  ),
  sourceOf('moons', { name: {}, shade: { formerName: 'colour' } }, company),
  sourceOf('tools', { name: {} }, { ...company, hooks: { afterSave: ['later'] } }),
  sourceOf('widgets', { name: {} }, company),
];
/** The newer version has a hook that the older one does not know. */
const newerProduct: Product = { ...fixture, hooks: { ...fixture.hooks, later: async () => undefined } };

beforeAll(async () => {
  database = await createTestDatabase(inject('fixture'));
  olderFolder = folderWith(olderSources);
  newerFolder = folderWith(newerSources);
  await startOlder();
});
afterAll(async () => {
  await newer?.close();
  await older?.close();
  await database?.close();
  for (const folder of [olderFolder, newerFolder]) rmSync(folder, { recursive: true, force: true });
});

function folderWith(sources: readonly Source[]): string {
  const folder = mkdtempSync(join(tmpdir(), 'assay-rolling-'));
  cpSync(fixture.folder, folder, { recursive: true });
  for (const source of sources) writeFileSync(join(folder, `${source.name}.json`), JSON.stringify(source, null, 2));
  return folder;
}

async function startOlder(): Promise<void> {
  older = await startFixtureProgram({ database, folder: olderFolder, log });
  olderStudio = studioOf(await older.signIn(accounts.admin));
  olderOwner = await older.signIn(accounts.owner);
}

async function startNewer(): Promise<void> {
  newer = await startFixtureProgram({ database, product: newerProduct, folder: newerFolder, log });
  newerStudio = studioOf(await newer.signIn(accounts.admin));
  newerOwner = await newer.signIn(accounts.owner);
}

const texts = async (query: string) =>
  (await database.database.pool.query<{ text: string }>(query)).rows.map(({ text }) => text);

/** The indexes, foreign keys, columns and triggers of a table. */
const objectsOf = (table: string) =>
  texts(`select indexname as text from pg_indexes where tablename = '${table}' and schemaname = 'public'
    union all select conname from pg_constraint where conrelid = 'public.${table}'::regclass
    union all select attname || ' ' || atttypid::regtype from pg_attribute
      where attrelid = 'public.${table}'::regclass and attnum > 0 and not attisdropped
    union all select tgname from pg_trigger where tgrelid = 'public.${table}'::regclass and not tgisinternal
    order by 1`);

const hourLater = `update assay.servers set seen_at = now() - interval '1 hour', since = now() - interval '1 hour'`;

/** Lets so much time pass that other servers count as gone, and notifies those that run. */
async function letTimePass(): Promise<void> {
  await database.database.pool.query(hourLater);
  await database.database.pool.query(`select pg_notify('assay_definitions', '')`);
}

const versionsOf = (name: string) =>
  texts(`select event as text from assay.module_versions where name = '${name}' order by version`);

describe('while servers of two versions run', () => {
  let objects: string[];

  beforeAll(async () => {
    await olderOwner('POST', '/gadgets', { name: 'First', code: 'A', size: 1 });
    await olderStudio.publish('tools', ({ fields }) => void (fields.weight = { type: 'number' }));
    await startNewer();
    await vi.waitFor(() => expect(older.program.definitions.isOlder()).toBe(true));
    objects = await objectsOf('gadgets');
  });

  test('the newer one has changed the tables, and keeps what the older one needs to read', () => {
    const starts = (start: string) => objects.filter((name) => name.startsWith(start));
    expect(starts('ux__gadgets__name__size')).toHaveLength(1);
    expect(starts('ux__gadgets__code')).toHaveLength(0);
    expect(starts('fk__gadgets__studio_id')).toHaveLength(1);
    expect(starts('ix__gadgets__code')).toHaveLength(1);
    expect(starts('ix__gadgets__size')).toHaveLength(1);
    expect(starts('search$')).toHaveLength(2);
    expect(
      lines.filter((line) => line.startsWith('A newer version of the program is used on this database')),
    ).toHaveLength(1);
  });

  test('publishing other modules on the older one drops nothing of the newer one', async () => {
    await olderStudio.make('parts', { name: {}, gadget_id: { type: 'relation', to: 'gadgets' } });
    await olderStudio.publish('territories', ({ fields }) => void (fields.motto = {}));
    await vi.waitFor(() => expect(newer.program.definitions.registry().get('parts')).toBeDefined());
    expect(await objectsOf('gadgets')).toEqual(objects);
    expect(await objectsOf('territories')).toContain('motto text');
    expect((await newerOwner('POST', '/parts', { name: 'Screw' })).status).toBe(201);
  });

  test('a restart of the older one drops nothing, and stores no version', async () => {
    const before = await versionsOf('gadgets');
    await older.close();
    await startOlder();
    expect(older.program.definitions.isOlder()).toBe(true);
    expect(await objectsOf('gadgets')).toEqual(objects);
    expect(await versionsOf('gadgets')).toEqual(before);
    expect(await versionsOf('tools')).toEqual(['shipped', 'published', 'merged']);
    expect(await texts(`select module as text from assay.seeded_modules where module = 'widgets'`)).toEqual([
      'widgets',
    ]);
  });

  test('both write and read the same records', async () => {
    expect((await olderOwner('POST', '/gadgets', { name: 'Second', code: 'B', size: 2 })).status).toBe(201);
    const studio = (await newerOwner<{ id: number }[]>('GET', '/studios?range=[0,0]')).body[0]!.id;
    const made = { name: 'Third', code: 'C', notes: 'needle', studio_id: studio };
    expect((await newerOwner('POST', '/gadgets', made)).status).toBe(201);
    for (const call of [olderOwner, newerOwner]) {
      const { body } = await call<{ name: string }[]>('GET', '/gadgets?sort_by=id');
      expect(body.map(({ name }) => name)).toEqual(['First', 'Second', 'Third']);
      expect((await call<object[]>('GET', '/gadgets?q=third')).body).toHaveLength(1);
    }
    expect((await newerOwner<object[]>('GET', '/gadgets?q=needle')).body).toHaveLength(1);
  });

  test('the rules of the newer one hold on the older one, in words', async () => {
    expect(await olderOwner('POST', '/gadgets', { name: 'first', code: 'D', size: 1 })).toMatchObject({
      status: 422,
      body: { errors: { name: 'Name and Size: another record has the same already.' } },
    });
    expect((await olderOwner('POST', '/gadgets', { name: 'First', code: 'A', size: 4 })).status).toBe(201);
  });

  test('the older one does not publish what the newer one ships otherwise', async () => {
    const words =
      'A newer version of the program is used on the same database, and ships another definition of this module. Publish it there, or once all servers run that version.';
    expect(await olderStudio.tryPublish('gadgets', ({ fields }) => void (fields.extra = {}))).toMatchObject({
      status: 409,
      body: { message: `${words} Nothing was changed.` },
    });
    const { definition } = await olderStudio.module('gadgets');
    expect((await olderStudio.plan('gadgets', definition)).errors).toEqual([{ path: '', message: words }]);
    expect((await olderStudio.remove('tools')).status).toBe(409);
    expect((await olderStudio.module('tools')).upgrade).toBeNull();
    const admin = await older.signIn(accounts.admin);
    expect((await admin('POST', '/modules', { definition: sourceOf('widgets', { name: {} }) })).status).toBe(409);
    expect((await admin('DELETE', '/modules/widgets?purge=1&confirm=widgets')).status).toBe(404);
    expect(await texts(`select relname as text from pg_class where relname = 'widgets'`)).toEqual(['widgets']);
  });

  test('what the newer one publishes is used by the older one as far as it understands it', async () => {
    await newerStudio.publish('urgencies', ({ fields }) => void (fields.reason = {}));
    await vi.waitFor(() =>
      expect(older.program.definitions.registry().get('urgencies')!.fields).toHaveProperty('reason'),
    );
    // The hook that came with the merge is unknown there: the version before is in use, with the field of the studio.
    expect(newer.program.definitions.registry().get('tools')!.hooks.afterSave).toEqual(['later']);
    expect(Object.keys(older.program.definitions.registry().get('tools')!.fields)).toContain('weight');
    expect((await olderOwner('POST', '/tools', { name: 'Hammer', weight: 2 })).status).toBe(201);
  });

  test('a module whose column was renamed is not served by the older one, and gets no second column', async () => {
    expect((await newerOwner('POST', '/moons', { name: 'Io', shade: 'yellow' })).status).toBe(201);
    expect(await olderOwner('GET', '/moons')).toMatchObject({
      status: 503,
      body: { message: expect.stringContaining('runs an older version of the program') },
    });
    expect(await objectsOf('moons')).not.toContain('colour text');
    expect((await olderOwner('GET', '/studios')).status).toBe(200);
  });

  test('once only the newer one is left, what the older one needed is dropped, and rows get their keys', async () => {
    await older.close();
    await letTimePass();
    await vi.waitFor(async () => {
      const left = await objectsOf('gadgets');
      expect(left.filter((name) => name.startsWith('ix__gadgets__size'))).toEqual([]);
      expect(left.filter((name) => name.startsWith('search$'))).toHaveLength(1);
    });
    expect(await objectsOf('gadgets')).toEqual(
      expect.arrayContaining(
        objects.filter((name) => /^(ux__gadgets__name__size|fk__gadgets__studio_id|ix__gadgets__code)/.test(name)),
      ),
    );
    expect(await texts('select count(*)::text as text from gadgets where number is null')).toEqual(['0']);
  });
});

describe('a return to the older version', () => {
  const newerIndexes = ['ux__gadgets__name__size', 'ux__gadgets__number'];
  const olderIndexes = ['ux__gadgets__code'];
  const uniqueIndexes = async () =>
    (await objectsOf('gadgets')).filter((name) => name.startsWith('ux__')).map((name) => name.slice(0, -9));

  test('leaves the tables alone while the newer one was seen of late, and takes them over later', async () => {
    await database.database.pool.query(`delete from gadgets where size = 4`);
    await newer.close();
    await database.database.pool.query('update assay.servers set seen_at = now()');
    const timers = vi.spyOn(globalThis, 'setInterval');
    await startOlder();
    const beats = timers.mock.calls.filter(([, delay]) => delay === 60_000).map(([beat]) => beat);
    timers.mockRestore();
    expect(await uniqueIndexes()).toEqual(newerIndexes);
    // This server has beaten all the time.
    await database.database.pool.query(`${hourLater} where release = (select max(release) from assay.servers)`);
    await database.database.pool.query(`update assay.servers set since = now() - interval '1 hour'`);
    for (const beat of beats) beat();
    await vi.waitFor(() => expect(older.program.definitions.isOlder()).toBe(false));
    expect(await uniqueIndexes()).toEqual(olderIndexes);
    expect(lines).toContain('This version of the program owns the tables of this database again.');
  });

  test('takes them over at once where no newer one was seen for ten minutes', async () => {
    await startNewer();
    expect(await uniqueIndexes()).toEqual(newerIndexes);
    await newer.close();
    await older.close();
    await letTimePass();
    await startOlder();
    expect(await uniqueIndexes()).toEqual(olderIndexes);
  });
});
