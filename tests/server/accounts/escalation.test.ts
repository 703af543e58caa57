import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { startProgram, type TestProgram } from './session/program';

let started: TestProgram;
const tokens: Record<string, string> = {};
const ids: Record<string, number> = {};
let made = 0;

beforeAll(async () => {
  started = await startProgram();
  const { kysely } = started.test.database;
  const users = await kysely.selectFrom('users').select(['id', 'email']).execute();
  for (const { id, email } of users) ids[email.replace('@demo.test', '')] = id;
  // Whoever may edit users and roles shows best what their level forbids.
  const grants = ['users', 'roles'].flatMap((module) =>
    ['create', 'edit', 'delete'].map((action) => ({ role_id: 3, module, action })),
  );
  await kysely.withSchema('assay').insertInto('grants').values(grants).execute();
  for (const account of ['admin', 'owner', 'manager']) tokens[account] = await started.signIn(account);
});
afterAll(() => started.close());

const call = (method: string, path: string, as: string, body?: unknown) =>
  started.call(method, path, { token: tokens[as], body });
const create = (as: string, change: object) =>
  call('POST', '/users', as, {
    first_name: 'Nia',
    last_name: 'Larsen',
    email: `esc${++made}@demo.test`,
    status_id: 1,
    password: 'Demo@1234',
    ...change,
  });
const madeUser = async (as: string, change: object) => {
  const { status, body } = await create(as, change);
  if (status !== 201) throw new Error(JSON.stringify(body));
  return body.data as { id: number; email: string };
};
const madeRole = async (level: number, modulePermission: string[]) => {
  const { status, body } = await call('POST', '/roles', 'owner', {
    role_name: `Role ${++made}`,
    level,
    modulePermission,
  });
  if (status !== 201) throw new Error(JSON.stringify(body));
  return body.data.id as number;
};

describe('which roles can be assigned', () => {
  const allowed: Record<string, readonly number[]> = {
    admin: [2, 3, 4, 5, 6],
    owner: [2, 3, 4, 5, 6],
    manager: [3, 4, 5, 6],
  };
  const matrix = Object.keys(allowed).flatMap((as) =>
    [1, 2, 3, 4, 5, 6].map((role) => [as, role, allowed[as]!.includes(role)] as const),
  );
  test.each(matrix.filter(([as, role]) => as !== 'admin' || role > 1))(
    '%s makes role %i: %s',
    async (as, role_id, may) => {
      const { status } = await create(as, { role_id, ...(as === 'admin' && { site_id: 1 }) });
      if (may) expect(status).toBe(201);
      else expect([403, 422]).toContain(status);
    },
  );

  test.each([
    ['manager', 'owner', 403],
    ['manager', 'developer', 200],
    ['owner', 'manager', 200],
    ['owner', 'admin', 404],
    ['manager', 'admin', 404],
    ['manager', 'owner@harbour.test', 404],
  ])('%s changes %s: %i', async (as, whom, status) => {
    expect((await call('PUT', `/users/${ids[whom]}`, as, { phone_number: `+49 ${++made}` })).status).toBe(status);
  });
});

describe('which users can be seen', () => {
  const people = ['admin', 'owner', 'manager', 'developer', 'qa', 'external', 'owner@harbour.test'];
  const company = people.slice(1, 6);
  const seen: Record<string, readonly string[]> = {
    admin: people,
    owner: company,
    manager: company,
    developer: [],
    qa: [],
    external: [],
    'owner@harbour.test': ['owner@harbour.test'],
  };
  beforeAll(async () => {
    for (const account of people) tokens[account] ??= await started.signIn(account);
  });

  test.each(Object.keys(seen))('%s, one by one and in the list', async (as) => {
    for (const whom of people) {
      const { status } = await call('GET', `/users/${ids[whom]}`, as);
      if (seen[as]!.includes(whom)) expect([whom, status]).toEqual([whom, 200]);
      else expect([whom, seen[as]!.length === 0 ? 403 : 404]).toEqual([whom, status]);
    }
    const { status, body } = await call('GET', '/users?all=1', as);
    if (seen[as]!.length === 0) return expect(status).toBe(403);
    const listed = new Set((body.data as { id: number }[]).map(({ id }) => id));
    expect(people.filter((whom) => listed.has(ids[whom]!))).toEqual(seen[as]);
  });

  test.each(['developer', 'qa', 'external'])(
    '%s names colleagues alone, without their addresses for level 6',
    async (as) => {
      const { status, body } = await call('GET', '/shots/choices/operator_id?film_id=1', as);
      if (status === 200) {
        expect((body.data as { id: number }[]).map(({ id }) => id)).not.toContain(ids['owner@harbour.test']);
        expect((body.data as { id: number }[]).map(({ id }) => id)).not.toContain(ids.admin);
      }
      const shots = await call('GET', '/shots', as);
      const text = JSON.stringify(shots.body);
      expect(text).not.toContain('harbour.test');
      if (as === 'external') expect(text).not.toContain('@demo.test');
    },
  );
});

describe('a role with more permissions than the actor', () => {
  test('cannot be assigned to others or to oneself', async () => {
    const rich = await madeRole(4, ['films.list', 'email-templates.edit']);
    const given = await create('manager', { role_id: rich });
    expect([given.status, given.body.message]).toEqual([
      403,
      expect.stringContaining("it grants email-templates.edit, which you don't have yourself."),
    ]);
    const { body } = await call('PUT', `/users/${ids.developer}`, 'manager', { role_id: rich });
    expect(body.message).toContain('email-templates.edit');
    expect((await call('PUT', `/users/${ids.manager}`, 'manager', { role_id: rich })).status).toBe(403);
    expect((await create('owner', { role_id: rich })).status).toBe(201);
  });

  test('one with fewer permissions can be assigned', async () => {
    const poor = await madeRole(4, ['films.list']);
    expect((await create('manager', { role_id: poor })).status).toBe(201);
  });

  test('cannot be created, and the own role cannot be extended', async () => {
    const wide = await call('POST', '/roles', 'manager', {
      role_name: 'Wide',
      level: 4,
      modulePermission: ['sites.edit'],
    });
    expect(wide.status).toBe(403);
    const own = await madeRole(4, ['roles.list', 'roles.view', 'roles.edit', 'users.list']);
    const user = await madeUser('owner', { role_id: own });
    tokens.custom = await started.signIn(user.email);
    const { status, body } = await call('PUT', `/permissions/${own}`, 'custom', { modulePermission: ['roles.edit'] });
    expect([status, body.message]).toEqual([403, 'This is your own role: somebody else has to change it.']);
  });
});

describe('modules and the installation are only for level 1', () => {
  test.each(['owner', 'manager'])('%s changes no shipped role', async (as) => {
    for (const role of [1, 2, 6])
      expect((await call('PUT', `/permissions/${role}`, as, { modulePermission: [] })).status).toBe(403);
  });

  test.each(['owner', 'manager'])('%s moves nobody to another company', async (as) => {
    const { id } = await madeUser(as, { role_id: 6 });
    await call('PUT', `/users/${id}`, as, { site_id: 2 });
    const { site_id } = await started.test.database.kysely
      .selectFrom('users')
      .select('site_id')
      .where('id', '=', id)
      .executeTakeFirstOrThrow();
    expect(site_id).toBe(1);
  });
});

test('a suspended user is signed out immediately and cannot sign in', async () => {
  const user = await madeUser('owner', { role_id: 4 });
  const token = await started.signIn(user.email);
  expect((await call('PUT', `/users/${user.id}`, 'owner', { status_id: 3 })).status).toBe(200);
  expect((await started.call('GET', '/me', { token })).status).toBe(401);
  const { body } = await started.call('POST', '/login', { body: { email: user.email, password: 'Demo@1234' } });
  expect(body.status).toBe(false);
});
