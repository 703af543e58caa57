import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { startProgram, type TestProgram } from './session/program';

let started: TestProgram;
const tokens: Record<string, string> = {};
beforeAll(async () => {
  started = await startProgram();
  for (const account of ['admin', 'owner', 'manager', 'owner@harbour.test']) {
    tokens[account] = await started.signIn(account);
  }
});
afterAll(() => started.close());

const call = (method: string, path: string, as: string, body?: unknown) =>
  started.call(method, path, { token: tokens[as], body });
const create = (as: string, body: object) => call('POST', '/roles', as, { role_name: 'Test lead', level: 3, ...body });
const madeBy = async (as: string, body: object = {}) => {
  const answer = await create(as, body);
  if (answer.status !== 201) throw new Error(JSON.stringify(answer.body));
  return answer.body.data as { id: number; modulePermission: string[]; site_id: number | null };
};

describe('a role of a company', () => {
  test('is created with its permissions, read, and changed', async () => {
    const role = await madeBy('owner', { modulePermission: ['studios.view', 'studios.list', 'films.list'] });
    expect(role.site_id).toBe(1);
    expect(role.modulePermission).toEqual(['films.list', 'studios.list', 'studios.view']);
    const read = await call('GET', `/roles/${role.id}`, 'owner');
    expect(read.body.data.modulePermission).toEqual(role.modulePermission);
    const changed = await call('PUT', `/roles/${role.id}`, 'owner', { modulePermission: ['films.list'] });
    expect(changed.body.data.modulePermission).toEqual(['films.list']);
    const renamed = await call('PUT', `/roles/${role.id}`, 'owner', { role_name: 'Lead' });
    expect(renamed.body.data).toMatchObject({ role_name: 'Lead', modulePermission: ['films.list'] });
    const emptied = await call('PUT', `/roles/${role.id}`, 'owner', { modulePermission: [] });
    expect(emptied.body.data.modulePermission).toEqual([]);
  });

  test('takes effect immediately for its users', async () => {
    const role = await madeBy('owner', { level: 5, modulePermission: ['studios.list'] });
    const email = 'lead@demo.test';
    const person = {
      first_name: 'Lea',
      last_name: 'Roth',
      email,
      role_id: role.id,
      status_id: 1,
      password: 'Demo@1234',
    };
    expect((await call('POST', '/users', 'owner', person)).status).toBe(201);
    const token = await started.signIn(email);
    const get = async (path: string) => (await started.call('GET', path, { token })).status;
    expect([await get('/studios'), await get('/films')]).toEqual([200, 403]);
    await call('PUT', `/permissions/${role.id}`, 'owner', { modulePermission: ['films.list'] });
    expect([await get('/studios'), await get('/films')]).toEqual([403, 200]);
  });

  test.each([1, 2, 7, 0])('is not of level %i', async (level) => {
    const { status, body } = await create('owner', { level });
    expect([status, Object.keys(body.errors)]).toEqual([422, ['level']]);
  });

  test('needs no more than a name and a level', async () => {
    expect((await madeBy('owner', { level: 6 })).modulePermission).toEqual([]);
    expect((await call('POST', '/roles', 'owner', { level: 4 })).status).toBe(422);
  });

  test('is not found by another company', async () => {
    const { id } = await madeBy('owner');
    for (const [method, path] of [
      ['GET', `/roles/${id}`],
      ['PUT', `/roles/${id}`],
      ['DELETE', `/roles/${id}`],
      ['PUT', `/permissions/${id}`],
    ] as const) {
      const body = method === 'PUT' ? { modulePermission: [] } : undefined;
      expect((await call(method, path, 'owner@harbour.test', body)).status).toBe(404);
    }
  });

  test('is deleted with its grants', async () => {
    const { id } = await madeBy('owner', { modulePermission: ['studios.list'] });
    expect((await call('DELETE', `/roles/${id}`, 'owner')).status).toBe(200);
    const grants = await started.test.database.kysely
      .withSchema('assay')
      .selectFrom('grants')
      .selectAll()
      .where('role_id', '=', id)
      .execute();
    expect(grants).toEqual([]);
  });
});

describe("nobody grants permissions that they don't have", () => {
  test.each([['territories.create'], ['sites.delete']])('an owner does not grant %s', async (id) => {
    const { status, body } = await create('owner', { modulePermission: ['studios.list', id] });
    expect([status, body.message]).toEqual([403, `You cannot grant ${id}: you don't have it yourself.`]);
    const role = await madeBy('owner');
    expect((await call('PUT', `/permissions/${role.id}`, 'owner', { modulePermission: [id] })).status).toBe(403);
  });

  test('existing permissions of a role stay', async () => {
    const role = await madeBy('owner');
    const grant = { role_id: role.id, module: 'territories', action: 'create' };
    await started.test.database.kysely.withSchema('assay').insertInto('grants').values(grant).execute();
    const ids = ['studios.list', 'territories.create'];
    const { status, body } = await call('PUT', `/roles/${role.id}`, 'owner', { modulePermission: ids });
    expect([status, body.data?.modulePermission]).toEqual([200, ids]);
  });

  test.each<[unknown]>([['studios.burn'], ['nothing.list'], ['studios'], [7], ['__proto__.list']])(
    '%j is no permission',
    async (id) => {
      const { status, body } = await create('owner', { modulePermission: [id] });
      expect([status, Object.keys(body.errors)]).toEqual([422, ['modulePermission']]);
    },
  );
});

describe('the six shipped roles', () => {
  test.each([1, 2, 3, 4, 5, 6])('role %i is not changed by an owner', async (id) => {
    for (const [method, path] of [
      ['PUT', `/roles/${id}`],
      ['DELETE', `/roles/${id}`],
      ['PUT', `/permissions/${id}`],
    ] as const) {
      const body = method === 'PUT' ? { modulePermission: [] } : undefined;
      expect((await call(method, path, 'owner', body)).status).toBe(403);
    }
  });

  test('level 1 changes their permissions and names, never their levels', async () => {
    const granted = await call('PUT', '/permissions/6', 'admin', {
      modulePermission: ['films.list', 'films.view'],
    });
    expect([granted.status, granted.body.data]).toEqual([
      200,
      {
        ...{ role_id: 6, role_name: 'External User', level: 6, key: 'external-user' },
        modulePermission: ['films.list', 'films.view'],
      },
    ]);
    expect((await call('PUT', '/roles/6', 'admin', { role_name: 'Guest' })).status).toBe(200);
    await call('PUT', '/roles/6', 'admin', { level: 3 });
    expect((await call('GET', '/roles/6', 'admin')).body.data.level).toBe(6);
  });

  test('nobody changes their own role', async () => {
    const { status, body } = await call('PUT', '/permissions/1', 'admin', { modulePermission: [] });
    expect([status, body.message]).toEqual([403, 'This is your own role: somebody else has to change it.']);
  });
});

describe('PUT permissions', () => {
  test.each<[unknown]>([[{}], [{ modulePermission: 'studios.list' }], [{ modulePermission: [], level: 3 }]])(
    '%j: 422',
    async (body) => {
      const { id } = await madeBy('owner');
      expect((await call('PUT', `/permissions/${id}`, 'owner', body)).status).toBe(422);
    },
  );

  test.each([['0'], ['99999999999'], ['x']])('of %s: 404', async (id) => {
    expect((await call('PUT', `/permissions/${id}`, 'owner', { modulePermission: [] })).status).toBe(404);
  });

  test('needs the grant', async () => {
    const { id } = await madeBy('owner');
    expect((await call('PUT', `/permissions/${id}`, 'manager', { modulePermission: [] })).status).toBe(403);
  });

  test('is recorded in the history', async () => {
    const { id } = await madeBy('owner', { modulePermission: ['studios.list'] });
    await call('PUT', `/permissions/${id}`, 'owner', { modulePermission: ['films.list'] });
    const { body } = await call('GET', `/roles/${id}/history`, 'owner');
    const newest = [body.data.at(0), body.data.at(-1)].find(({ event }) => event === 'updated');
    expect(newest).toMatchObject({
      old_values: { modulePermission: ['studios.list'] },
      new_values: { modulePermission: ['films.list'] },
    });
  });
});
