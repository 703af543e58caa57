// @module-tag slow
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { Source } from '../../../src/engine/language/source';
import type { Module } from '../../../src/engine/studio/module';
import { sourceOf } from '../../support/definitions';
import { type StudioProgram, startStudio } from './studio';

let { program, admin, owner, studio, query } = {} as StudioProgram;

beforeAll(async () => {
  ({ program, admin, owner, studio, query } = await startStudio());
});
afterAll(() => program?.close());

const number = { type: 'number', integer: true } as const;

describe('restoring', () => {
  test('an earlier version is published again, and data stored since then is kept', async () => {
    await studio.make('logs', { name: {} });
    await studio.publish('logs', ({ fields }) => void (fields.level = {}));
    await owner('POST', '/logs', { name: 'a', level: 'high' });
    const restored = await studio.restore('logs', 1);
    expect(restored).toMatchObject({
      status: 200,
      body: { data: { version: 3, definition: { fields: { name: {} } } } },
    });
    expect(restored.body.data.hidden).toEqual([{ column: 'level', type: 'text', values: 1 }]);
    expect(await studio.restore('logs', 2, { note: ' The level is needed \n' })).toMatchObject({
      status: 200,
      body: { data: { version: 4 } },
    });
    expect((await owner<object[]>('GET', '/logs')).body).toMatchObject([{ name: 'a', level: 'high' }]);
    expect((await studio.versions('logs')).map(({ event, note }) => [event, note])).toEqual([
      ['restored', 'The level is needed'],
      ['restored', null],
      ['published', null],
      ['published', null],
    ]);
  });

  test('runs the same checks: destructive steps need confirmation, conflicts are refused', async () => {
    await studio.make('meters', { name: {}, value: number });
    await studio.publish('meters', ({ fields }) => void (fields.value = {}));
    await owner('POST', '/meters', { name: 'a', value: 'many' });
    expect((await studio.restore('meters', 1)).status).toBe(409);
    expect((await studio.restore('meters', 1, { confirm: true })).status).toBe(200);

    await studio.make('readings', { name: {}, meter_id: { type: 'relation', to: 'meters' } });
    await studio.publish('readings', ({ fields }) => void delete fields.meter_id);
    expect((await studio.remove('meters')).status).toBe(200);
    expect(await studio.restore('readings', 1)).toMatchObject({
      status: 422,
      body: { errors: { '/fields/meter_id/to': expect.any(String) } },
    });
  });

  test('a shipped definition is reset to its shipped version', async () => {
    await studio.publish('genres', ({ fields }) => void (fields.colour = {}));
    const returned = await studio.remove('genres');
    expect(returned).toMatchObject({
      status: 200,
      body: { data: { version: 3, customised: false, shipped: null, hidden: [{ column: 'colour' }] } },
    });
    expect((await studio.versions('genres')).map(({ event }) => event)).toEqual(['returned', 'published', 'shipped']);
    expect((await studio.remove('genres')).body.data.version).toBe(3);
  });

  test('a change that equals the shipped version is no longer a change', async () => {
    await studio.publish('screening-types', (source) => void (source.description = 'Kinds.'));
    const shipped = (await studio.module('screening-types')).shipped!;
    const same = await studio.publish('screening-types', (source) => {
      delete source.description;
      Object.assign(source, structuredClone(shipped));
      if (!('description' in shipped)) delete source.description;
    });
    expect(JSON.stringify(same.definition)).toBe(JSON.stringify(shipped));
    expect(same).toMatchObject({ customised: false, shipped: null, version: 3 });
    expect(await studio.versions('screening-types')).toHaveLength(3);
  });
});

describe('retiring', () => {
  test('a custom module is no longer used; table, rows and grants stay, and come back with it', async () => {
    await studio.make('plants', { name: {}, studio_id: { type: 'relation', to: 'studios' } });
    const client = (await owner<{ id: number }[]>('GET', '/studios')).body[0]!.id;
    await owner('POST', '/plants', { name: 'Fern', studio_id: client });
    const grants = await query(`select role_id, action from assay.grants where module = 'plants' order by 1, 2`);
    const retired = await studio.remove('plants');
    expect(retired).toMatchObject({ status: 200, body: { data: { retired: true, version: 2, origin: 'custom' } } });
    expect((await owner('GET', '/plants')).status).toBe(404);
    expect((await studio.modules()).find(({ name }) => name === 'plants')).toMatchObject({ retired: true });
    expect((await studio.tryPublish('plants', () => undefined)).status).toBe(404);
    expect((await studio.restore('plants', 1)).status).toBe(404);
    expect((await studio.remove('plants')).body.data.version).toBe(2);
    const { definition } = await studio.module('plants');
    const back = await admin<{ data: Module }>('POST', '/modules', { definition });
    expect(back).toMatchObject({ status: 201, body: { data: { retired: false, version: 3 } } });
    expect((await owner<object[]>('GET', '/plants')).body).toMatchObject([{ name: 'Fern', studio_id: client }]);
    expect(await query(`select role_id, action from assay.grants where module = 'plants' order by 1, 2`)).toEqual(
      grants,
    );
    expect((await studio.versions('plants')).map(({ event }) => event)).toEqual(['published', 'retired', 'published']);
  });

  test('while it is retired, its rows block nothing', async () => {
    await studio.make('pots', { name: {} });
    await studio.make('seeds', { name: {}, pot_id: { type: 'relation', to: 'pots' } });
    const pot = (await owner<{ id: number }>('POST', '/pots', { name: 'Pot' })).body.id;
    await owner('POST', '/seeds', { name: 'Oak', pot_id: pot });
    expect((await owner('DELETE', `/pots/${pot}`)).status).toBe(409);
    await studio.remove('seeds');
    expect((await owner('DELETE', `/pots/${pot}`)).status).toBe(200);
  });

  test('a module that others refer to cannot be retired, and the message names them', async () => {
    await studio.make('shelves', { name: {} });
    await studio.make('items', { name: {}, shelf_id: { type: 'relation', to: 'shelves' } });
    expect(await studio.remove('shelves')).toMatchObject({
      status: 409,
      body: { message: expect.stringContaining('items (/fields/shelf_id/to)') },
    });
    expect((await owner('GET', '/shelves')).status).toBe(200);
  });

  test('a new module cannot have a name that is in use', async () => {
    for (const name of ['shots', 'shelves']) {
      expect((await admin('POST', '/modules', { definition: sourceOf(name, { name: {} }) })).status).toBe(409);
    }
    expect((await admin('POST', '/modules', { definition: sourceOf('modules', { name: {} }) })).status).toBe(422);
  });

  test('a retired module is purged with its name as confirmation; a new one with that name starts empty', async () => {
    const relations: Source['fields'] = { name: {}, tag_ids: { type: 'relations', to: 'urgencies' } };
    await studio.make('toys', relations);
    await owner('POST', '/toys', { name: 'Ball' });
    expect((await studio.remove('toys', '?purge=1&confirm=toys')).status).toBe(409);
    await studio.remove('toys');
    expect((await studio.remove('toys', '?purge=1')).status).toBe(409);
    expect((await studio.remove('toys', '?purge=1&confirm=toy')).status).toBe(409);
    expect((await studio.remove('shots', '?purge=1&confirm=shots')).status).toBe(409);
    expect((await studio.remove('toys', '?purge=1&confirm=toys')).status).toBe(200);
    expect((await admin('GET', '/modules/toys')).status).toBe(404);
    expect(await query(`select relname from pg_class where relname like 'toys%'`)).toEqual([]);
    await studio.make('toys');
    const again = await owner<{ id: number }>('POST', '/toys', { name: 'Kite' });
    expect((await owner<{ data: object[] }>('GET', `/toys/${again.body.id}/history`)).body.data).toHaveLength(1);
  });
});
