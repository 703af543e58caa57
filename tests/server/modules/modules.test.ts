// @module-tag slow
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { sourceOf } from '../../support/definitions';
import { type Refusal, type StudioProgram, startStudio } from './studio';

let { program, admin, owner, studio, query } = {} as StudioProgram;

beforeAll(async () => {
  ({ program, admin, owner, studio, query } = await startStudio());
});
afterAll(() => program?.close());

const number = { type: 'number', integer: true } as const;

describe('access to the definitions of resources', () => {
  test.each([
    ['GET', '/modules'],
    ['GET', '/modules/shots'],
    ['POST', '/modules/shots/plan'],
    ['POST', '/modules'],
    ['PUT', '/modules/shots'],
    ['GET', '/modules/shots/versions'],
    ['POST', '/modules/shots/restore'],
    ['DELETE', '/modules/shots'],
    ['GET', '/modules/shots/columns/name'],
  ])('%s %s is for level 1 only', async (method, path) => {
    const body = method === 'GET' || method === 'DELETE' ? undefined : {};
    expect((await program.call(method, path, body)).status).toBe(401);
    expect((await program.call(method, path)).status).toBe(401);
    const refused = await owner<Refusal>(method, path, body);
    expect(refused).toMatchObject({ status: 403, body: { message: expect.stringContaining('administrator') } });
  });

  test('nothing was changed', async () => expect(await studio.versions('shots')).toHaveLength(1));
});

describe('reading', () => {
  test('the list contains all shipped definitions, as written', async () => {
    const modules = await studio.modules();
    const { definitions } = program.program;
    expect(modules.map(({ name }) => name)).toEqual([...definitions.registry().definitions.keys()].sort());
    const shots = modules.find(({ name }) => name === 'shots')!;
    const plain = { origin: 'shipped', version: 1, customised: false, retired: false, shipped: null, upgrade: null };
    expect(shots).toMatchObject({ ...plain, hidden: [], faults: [], labels: { one: 'Shot', many: 'Shots' } });
    expect(JSON.stringify(shots.definition)).toBe(JSON.stringify(definitions.sources().get('shots')));
    expect(shots.changed).toEqual({ user: null, created_at: (await studio.versions('shots'))[0]!.created_at });
    expect(await studio.module('shots')).toEqual(shots);
    expect(await studio.versions('shots')).toMatchObject([
      { version: 1, user: null, event: 'shipped', definition: shots.definition },
    ]);
  });

  test('an unknown module is not found', async () => {
    for (const path of [
      '/modules/nothing',
      '/modules/nothing/versions',
      '/modules/__proto__',
      '/modules/nothing/columns/id',
    ])
      expect((await admin('GET', path)).status, path).toBe(404);
    expect((await admin('GET', '/modules/shots/columns/nothing')).status).toBe(404);
    expect((await admin('DELETE', '/modules/nothing')).status).toBe(404);
    expect(
      (await admin('PUT', '/modules/nothing', { definition: sourceOf('nothing', { name: {} }), version: 1 })).status,
    ).toBe(404);
    expect((await admin('POST', '/modules/shots/restore', { version: 99 })).status).toBe(404);
  });

  test.each<[string, string, unknown, number, string?]>([
    ['POST', '/modules', undefined, 422, 'definition'],
    ['POST', '/modules', [], 400],
    ['POST', '/modules', {}, 422, 'definition'],
    ['POST', '/modules', { definition: 7 }, 422, 'definition'],
    ['POST', '/modules', { definition: {} }, 422, '/name'],
    ['POST', '/modules', { definition: { name: 7 } }, 422, '/name'],
    ['POST', '/modules', { definition: {}, version: 1 }, 422, 'version'],
    ['PUT', '/modules/shots', { definition: {} }, 422, 'version'],
    ['PUT', '/modules/shots', { definition: {}, version: '1' }, 422, 'version'],
    ['PUT', '/modules/shots', { definition: {}, version: 1, confirm: 1 }, 422, 'confirm'],
    ['PUT', '/modules/shots', { definition: {}, version: 1, purge: ['a', 1] }, 422, 'purge'],
    ['PUT', '/modules/shots', { definition: {}, version: 1, shipped: 'yes' }, 422, 'shipped'],
    ['PUT', '/modules/shots', { definition: { name: 'jobs' }, version: 1 }, 422, '/name'],
    ['POST', '/modules/shots/restore', {}, 422, 'version'],
    ['POST', '/modules/shots/restore', { version: 1, purge: [] }, 422, 'purge'],
    ['POST', '/modules/shots/plan', { definition: {}, confirm: true }, 422, 'confirm'],
    ['DELETE', '/modules/shots?yes=1', undefined, 400],
    ['DELETE', '/modules/shots?confirm=true', undefined, 400],
  ])('%s %s %j is refused with %i', async (method, path, body, status, place) => {
    const answer = await admin<Refusal>(method, path, body);
    expect(answer).toMatchObject({ status, body: { message: expect.any(String) } });
    if (place) expect(Object.keys(answer.body.errors!)).toContain(place);
  });

  test('a definition that is nested too deeply is refused', async () => {
    const deep = JSON.parse(`${'['.repeat(50)}${']'.repeat(50)}`) as unknown;
    expect((await admin('POST', '/modules', { definition: { name: 'deep', labels: deep } })).status).toBe(422);
    expect(await studio.plan('deep', { name: 'deep', labels: deep })).toMatchObject({
      valid: false,
      errors: [{ path: expect.stringMatching(/^\/labels\/0\/0/) }],
    });
  });
});

describe('planning', () => {
  test('describes the steps, and changes nothing', async () => {
    const { definition } = await studio.module('urgencies');
    const draft = { ...definition, fields: { ...definition.fields, points: number } };
    const plan = await studio.plan('urgencies', draft);
    expect(plan).toMatchObject({ valid: true, errors: [] });
    expect(plan.steps).toContainEqual(
      expect.objectContaining({ kind: 'addColumn', destructive: false, sql: expect.stringContaining('"points"') }),
    );
    expect(
      await query(`select from information_schema.columns where table_name = 'urgencies' and column_name = 'points'`),
    ).toEqual([]);
    expect((await studio.module('urgencies')).version).toBe(1);
  });

  test('works for a module that does not exist yet', async () => {
    const plan = await studio.plan('boats', sourceOf('boats', { name: {} }));
    expect(plan.steps).toContainEqual(expect.objectContaining({ kind: 'createTable' }));
    expect((await admin('GET', '/modules/boats')).status).toBe(404);
  });

  test('names every problem with its path, those of other definitions with their module', async () => {
    const { definition } = await studio.module('shots');
    const wrong = { ...definition, fields: { ...definition.fields, x: { type: 'txet' as 'text' } } };
    expect(await studio.plan('shots', wrong)).toMatchObject({
      valid: false,
      steps: [],
      errors: [{ path: '/fields/x/type', message: expect.stringContaining('Did you mean "text"?') }],
    });
    const fields = Object.fromEntries(Object.entries(definition.fields).filter(([name]) => name !== 'film_id'));
    const { errors } = await studio.plan('shots', { ...definition, fields });
    expect(errors.some(({ module }) => module === 'films' || module === 'studios')).toBe(true);
  });
});
