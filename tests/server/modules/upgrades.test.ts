// @module-tag slow
import { cpSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Writable } from 'node:stream';
import pino from 'pino';
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';
import type { Source } from '../../../src/engine/language/source';
import type { Module } from '../../../src/engine/studio/module';
import { createTestDatabase, type TestDatabase } from '../../support/database';
import { sourceOf } from '../../support/definitions';
import { accounts, startFixtureProgram, type Client, type DemoProgram } from '../../support/program';
import { studioOf, type Studio } from './studio';

let folder: string;
let database: TestDatabase;
let program: DemoProgram;
let admin: Client;
let owner: Client;
let studio: Studio;

const names = ['lamps', 'fans', 'bells', 'clocks', 'doors', 'keys', 'rugs', 'maps'];
const thing = (name: string, fields: Source['fields'] = {}, more: Partial<Source> = {}) =>
  sourceOf(name, { name: {}, size: {}, ...fields }, { scope: 'company', ...more });

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'assay-upgrades-'));
  cpSync('tests/fixtures/product/resources', folder, { recursive: true });
  for (const name of names) ship(thing(name));
  database = await createTestDatabase();
  await start();
});
afterAll(async () => {
  await program?.close();
  await database?.close();
  rmSync(folder, { recursive: true, force: true });
});

const logged: string[] = [];
const log = pino(
  { level: 'warn' },
  new Writable({ write: (chunk, _encoding, done) => done(void logged.push(JSON.parse(String(chunk)).msg)) }),
);

async function start(): Promise<void> {
  program = await startFixtureProgram({ folder, database, log });
  admin = await program.signIn(accounts.admin);
  owner = await program.signIn(accounts.owner);
  studio = studioOf(admin);
}

/** What an upgrade does: puts a file into the folder. */
function ship(source: Source): void {
  writeFileSync(join(folder, `${source.name}.json`), JSON.stringify(source, null, 2));
}

/** The upgrade is made while the program stands still. */
async function upgrade(...sources: Source[]): Promise<void> {
  await program.close();
  sources.forEach(ship);
  await start();
}

const until = (name: string, reached: (module: Module) => void): Promise<Module> =>
  vi.waitFor(async () => {
    const module = await studio.module(name);
    reached(module);
    return module;
  });

const fieldsOf = (source: Source) => Object.keys(source.fields);

describe('while the program runs', () => {
  test('a newer file of an unchanged definition is a version', async () => {
    ship(thing('lamps', { colour: {} }));
    const module = await until('lamps', ({ version }) => expect(version).toBe(2));
    expect(module).toMatchObject({ customised: false, shipped: null, upgrade: null });
    expect(fieldsOf(module.definition)).toContain('colour');
    expect((await studio.versions('lamps')).map(({ event, user }) => [event, user])).toEqual([
      ['shipped', null],
      ['shipped', null],
    ]);
  });

  test('local changes are merged with a newer file if they do not conflict', async () => {
    await studio.publish('fans', ({ fields }) => void (fields.mine = {}));
    ship(thing('fans', { theirs: {} }));
    const module = await until('fans', ({ version }) => expect(version).toBe(3));
    expect(fieldsOf(module.definition)).toEqual(expect.arrayContaining(['mine', 'theirs']));
    expect(module).toMatchObject({ customised: true, upgrade: null });
    expect(fieldsOf(module.shipped!)).not.toContain('mine');
    expect((await studio.versions('fans'))[0]).toMatchObject({ version: 3, event: 'merged', user: null });
    expect(await owner('POST', '/fans', { name: 'a', mine: 'b', theirs: 'c' })).toMatchObject({
      status: 201,
      body: { mine: 'b', theirs: 'c' },
    });
  });

  test('if they conflict, the local changes stay active until somebody decides', async () => {
    await studio.publish('bells', ({ fields }) => void (fields.size = { label: 'Here' }));
    ship(thing('bells', { size: { label: 'There' }, tone: {} }));
    const pending = await until('bells', ({ upgrade }) => expect(upgrade).not.toBeNull());
    expect(pending.version).toBe(2);
    expect(pending.definition.fields.size).toEqual({ label: 'Here' });
    await vi.waitFor(
      () =>
        expect(logged).toContain(
          'The upgrade of bells needs a decision in the studio: it conflicts with local changes.',
        ),
      5_000,
    );
    expect(pending.upgrade!.shipped.fields.size).toEqual({ label: 'There' });
    expect(pending.upgrade!.merged.fields).toMatchObject({ size: { label: 'Here' }, tone: {} });
    expect(pending.upgrade!.conflicts).toEqual([{ path: '/fields/size/label', shipped: 'There', changed: 'Here' }]);
    // Changing something else does not decide it.
    await studio.publish('bells', (source) => void (source.description = 'They ring.'));
    expect((await studio.module('bells')).upgrade).not.toBeNull();

    const decided = await studio.publish(
      'bells',
      (source) => Object.assign(source, { fields: { ...source.fields, size: { label: 'There' }, tone: {} } }),
      { shipped: true },
    );
    expect(decided).toMatchObject({ version: 4, upgrade: null, customised: true });
    expect(decided.shipped!.fields.size).toEqual({ label: 'There' });
    expect((await studio.remove('bells')).body.data).toMatchObject({ customised: false, version: 5 });
  });

  test('keeping the local version is a decision too', async () => {
    await studio.publish('rugs', ({ fields }) => void (fields.size = { label: 'Here' }));
    ship(thing('rugs', { size: { label: 'There' } }));
    await until('rugs', ({ upgrade }) => expect(upgrade).not.toBeNull());
    const kept = await studio.publish('rugs', () => undefined, { shipped: true });
    expect(kept).toMatchObject({
      upgrade: null,
      customised: true,
      definition: { fields: { size: { label: 'Here' } } },
    });
  });

  test('an upgrade that could lose stored values is not merged automatically', async () => {
    await owner('POST', '/clocks', { name: 'a', size: 'large' });
    await studio.publish('clocks', ({ fields }) => void (fields.mine = {}));
    ship(thing('clocks', { size: { type: 'number' } }));
    const pending = await until('clocks', ({ upgrade }) => expect(upgrade).not.toBeNull());
    expect(pending.upgrade!.conflicts).toEqual([]);
    expect(pending.definition.fields.size).toEqual({});
    const merged = pending.upgrade!.merged;
    const body = { definition: merged, version: pending.version, shipped: true };
    expect((await admin('PUT', '/modules/clocks', body)).status).toBe(409);
    expect(await admin('PUT', '/modules/clocks', { ...body, confirm: true })).toMatchObject({
      status: 200,
      body: { data: { upgrade: null, definition: { fields: { size: { type: 'number' }, mine: {} } } } },
    });
  });

  test('a change that a newer file contains too is no longer a change; its versions stay', async () => {
    const { definition } = await studio.publish('doors', ({ fields }) => void (fields.colour = {}));
    ship(definition);
    const module = await until('doors', ({ customised }) => expect(customised).toBe(false));
    expect(module).toMatchObject({ version: 2, shipped: null, upgrade: null });
    expect(await studio.versions('doors')).toHaveLength(2);
  });

  test('a custom module that now ships becomes a changed shipped one', async () => {
    await studio.make('chairs', { name: {}, legs: { type: 'number' } });
    ship(thing('chairs', { legs: { type: 'number' } }));
    const module = await until('chairs', ({ origin }) => expect(origin).toBe('shipped'));
    expect(module).toMatchObject({ customised: true, version: 1, upgrade: null });
    expect(fieldsOf(module.shipped!)).toContain('size');
    expect((await studio.remove('chairs')).body.data).toMatchObject({
      customised: false,
      origin: 'shipped',
      version: 2,
    });
  });

  test('a changed definition survives the removal of its file', async () => {
    await studio.publish('maps', ({ fields }) => void (fields.scale = {}));
    rmSync(join(folder, 'maps.json'));
    const module = await until('maps', ({ origin }) => expect(origin).toBe('custom'));
    expect(fieldsOf(module.definition)).toContain('scale');
    expect((await owner('GET', '/maps')).status).toBe(200);
  });
});

describe('while the program is stopped', () => {
  test('a start without changes creates no version', async () => {
    const before = await studio.modules();
    await upgrade();
    expect(await studio.modules()).toEqual(before);
  });

  test('an upgrade is merged as while the program runs', async () => {
    await upgrade(thing('fans', { theirs: {}, later: {} }));
    const module = await studio.module('fans');
    expect(module).toMatchObject({ version: 4, upgrade: null, customised: true });
    expect(fieldsOf(module.definition)).toEqual(expect.arrayContaining(['mine', 'theirs', 'later']));
  });

  test('a local change that an upgrade breaks is dropped with a reason, and the program runs', async () => {
    await studio.publish(
      'keys',
      ({ fields }) => void (fields.door_id = { type: 'relation', to: 'doors', embed: 'door', embedFields: ['colour'] }),
    );
    const kept = (await studio.module('keys')).definition;
    await upgrade(thing('doors'));
    const module = await studio.module('keys');
    expect(module).toMatchObject({ customised: true, definition: kept });
    expect(module.faults).toEqual([
      { path: '/fields/door_id/embedFields/0', message: expect.stringContaining('colour') },
    ]);
    expect((await owner('GET', '/keys')).status).toBe(200);
    expect((await owner('POST', '/keys', { name: 'a' })).body).not.toHaveProperty('door_id');
    // Giving it back what it spoke of is enough.
    await studio.publish('doors', ({ fields }) => void (fields.colour = {}));
    await until('keys', ({ faults }) => expect(faults).toEqual([]));
    expect((await owner<object[]>('GET', '/keys')).body[0]).toHaveProperty('door_id');
  });

  test('a new file that refers to something changed here stays active: the local change is dropped', async () => {
    await studio.publish('lamps', ({ fields }) => void delete fields.colour);
    await upgrade(
      sourceOf(
        'shades',
        { name: {}, lamp_id: { type: 'relation', to: 'lamps', embed: 'lamp', embedFields: ['colour'] } },
        { scope: 'company' },
      ),
    );
    expect((await owner('GET', '/shades')).status).toBe(200);
    const lamps = await studio.module('lamps');
    expect(lamps.faults).toEqual([{ path: '', message: expect.stringContaining('shades') }]);
    expect(fieldsOf(lamps.definition)).not.toContain('colour');
    expect((await owner('POST', '/lamps', { name: 'a', colour: 'red' })).status).toBe(201);
  });

  test('a definition shipped under another name keeps its local changes, rows, versions and drafts', async () => {
    const { definition, version } = await studio.module('clocks');
    const begun = { ...(definition as unknown as object), description: 'Begun before the upgrade.' };
    const content = {
      base: { version, source: definition },
      source: begun,
      text: JSON.stringify(begun, null, 2),
      purge: [],
      takes_shipped: false,
      revision: 0,
    };
    expect(await admin('PUT', '/module-drafts/clocks', content)).toMatchObject({ status: 200 });
    await program.close();
    rmSync(join(folder, 'clocks.json'));
    ship(thing('watches', { size: { type: 'number' }, strap: {} }, { formerName: 'clocks' }));
    await start();
    expect((await admin('GET', '/modules/clocks')).status).toBe(404);
    const watches = await studio.module('watches');
    expect(watches).toMatchObject({ customised: true, upgrade: null, faults: [] });
    expect(fieldsOf(watches.definition)).toEqual(expect.arrayContaining(['mine', 'strap']));
    expect((await studio.versions('watches')).map(({ event }) => event)).toEqual([
      'merged',
      'published',
      'published',
      'shipped',
    ]);
    expect((await owner<object[]>('GET', '/watches')).body).toMatchObject([{ name: 'a', mine: null }]);
    const draft = await admin<{ data: { source: object; base: object; text: string } }>(
      'GET',
      '/module-drafts/watches',
    );
    expect(draft).toMatchObject({
      status: 200,
      body: {
        data: {
          base: { version, source: { name: 'watches', formerName: 'clocks' } },
          source: { name: 'watches', formerName: 'clocks', description: 'Begun before the upgrade.' },
        },
      },
    });
    expect(JSON.parse(draft.body.data.text)).toMatchObject({ name: 'watches', formerName: 'clocks' });
    expect(await admin('GET', '/module-drafts/clocks')).toMatchObject({ status: 200, body: { data: null } });
  });
});
