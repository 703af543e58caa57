import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { startProgram, type TestProgram } from './session/program';

let started: TestProgram;
const tokens: Record<string, string> = {};
const ids: Record<string, number> = {};

beforeAll(async () => {
  started = await startProgram();
  const users = await started.test.database.kysely.selectFrom('users').select(['id', 'email']).execute();
  for (const { id, email } of users) ids[email.replace('@demo.test', '')] = id;
  // Whoever may edit users shows best what their level forbids.
  const all = ['create', 'edit', 'delete'].map((action) => ({ role_id: 3, module: 'users', action }));
  await started.test.database.kysely.withSchema('assay').insertInto('grants').values(all).execute();
});
beforeEach(async () => {
  for (const account of ['admin', 'owner', 'manager']) tokens[account] ??= await started.signIn(account);
});
afterAll(() => started.close());

let made = 0;
const person = (change: object = {}) => ({
  first_name: 'Nia',
  last_name: 'Larsen',
  email: `nia${++made}@demo.test`,
  role_id: 4,
  status_id: 1,
  password: 'Demo@1234',
  ...change,
});
const call = (method: string, path: string, as: string, body?: unknown) =>
  started.call(method, path, { token: tokens[as], body });
const create = (as: string, change: object = {}) => call('POST', '/users', as, person(change));
const madeBy = async (as: string, change: object = {}) => {
  const { status, body } = await create(as, change);
  if (status !== 201) throw new Error(JSON.stringify(body));
  return body.data as { id: number; email: string };
};
const put = (as: string, id: number, body: object) => call('PUT', `/users/${id}`, as, body);
const alive = async (token: string) => (await started.call('GET', '/me', { token })).status === 200;

describe('creating a user', () => {
  test.each([
    ['owner', 2, 201],
    ['owner', 6, 201],
    ['owner', 1, 'refused'],
    ['manager', 3, 201],
    ['manager', 2, 'refused'],
    ['manager', 1, 'refused'],
  ])('%s gives role %i: %s', async (as, role_id, expected) => {
    const { status } = await create(as, { role_id });
    if (expected === 'refused') expect([403, 422]).toContain(status);
    else expect(status).toBe(expected);
  });

  test('the password that was given opens the account, and is never shown', async () => {
    const { body } = await create('owner');
    expect(JSON.stringify(body)).not.toMatch(/argon|password/);
    expect(await started.signIn(body.data.email)).toHaveLength(43);
  });

  test('an address is unique in the company, ignoring case; other companies are not revealed', async () => {
    const { status, body } = await create('owner', { email: 'QA@demo.test' });
    expect([status, Object.keys(body.errors)]).toEqual([422, ['email']]);
    expect((await create('owner', { email: 'OWNER@harbour.test' })).status).toBe(201);
  });

  test('level 1 names the company', async () => {
    const without = await create('admin', { role_id: 3 });
    expect([without.status, without.body.errors]).toEqual([422, { site_id: 'Company is required for this role.' }]);
    expect((await create('admin', { role_id: 3, site_id: 2 })).status).toBe(201);
    const administrator = await create('admin', { role_id: 1, site_id: 2 });
    expect([administrator.status, Object.keys(administrator.body.errors)]).toEqual([422, ['site_id']]);
    expect((await create('admin', { role_id: 1 })).status).toBe(201);
  });
});

describe('a user of a more powerful level', () => {
  test.each<[string, object]>([
    ['is not renamed', { first_name: 'Low' }],
    ['is not suspended', { status_id: 3 }],
    ['is not given another role', { role_id: 6 }],
    ['is not given another password', { password: 'Other@1234' }],
  ])('%s', async (_, change) => {
    const { status, body } = await put('manager', ids.owner!, change);
    expect(status).toBe(403);
    expect(body.message).toBe("This user's role (Company Owner) is more powerful than your own.");
    expect(await alive(tokens.owner!)).toBe(true);
  });

  test('is not deleted', async () => {
    expect((await call('DELETE', `/users/${ids.owner}`, 'manager')).status).toBe(403);
  });

  test('is invisible if it belongs to the installation', async () => {
    expect((await put('owner', ids.admin!, { first_name: 'Low' })).status).toBe(404);
  });
});

test('nobody assigns themselves a more powerful role', async () => {
  expect([403, 422]).toContain((await put('manager', ids.manager!, { role_id: 2 })).status);
  expect((await put('manager', ids.manager!, { last_name: 'Vidal' })).status).toBe(200);
});

describe('a company keeps an owner', () => {
  const last = 'A company needs at least one owner.';
  test.each<[string, object, string]>([
    ['the last one keeps the role', { role_id: 3 }, 'role_id'],
    ['the last one stays active', { status_id: 2 }, 'status_id'],
  ])('%s', async (_, change, field) => {
    const harbour = ids['owner@harbour.test']!;
    const { status, body } = await put('admin', harbour, change);
    expect([status, body.errors]).toEqual([422, { [field]: last }]);
  });

  test('the last one is not deleted', async () => {
    const { status, body } = await call('DELETE', `/users/${ids['owner@harbour.test']}`, 'admin');
    expect([status, body.message]).toEqual([409, last]);
  });

  test('one of two can be deleted, but not both at once', async () => {
    const second = await madeBy('admin', { role_id: 2, site_id: 2 });
    const both = await Promise.all([
      put('admin', second.id, { status_id: 3 }),
      put('admin', ids['owner@harbour.test']!, { status_id: 3 }),
    ]);
    expect(both.map(({ status }) => status).sort()).toEqual([200, 422]);
    await put('admin', second.id, { status_id: 1 });
    await put('admin', ids['owner@harbour.test']!, { status_id: 1 });
  });
});

describe('sign-ins end', () => {
  test.each<[string, object]>([
    ['at a suspension', { status_id: 3 }],
    ['when the account is made inactive', { status_id: 2 }],
  ])('%s, all of them', async (_, change) => {
    const user = await madeBy('owner');
    const own = [await started.signIn(user.email), await started.signIn(user.email)];
    expect((await put('owner', user.id, change)).status).toBe(200);
    for (const token of own) expect(await alive(token)).toBe(false);
    await put('owner', user.id, { status_id: 1 });
    for (const token of own) expect(await alive(token)).toBe(false);
  });

  test('at the deletion, which frees the address', async () => {
    const user = await madeBy('owner');
    const token = await started.signIn(user.email);
    expect((await call('DELETE', `/users/${user.id}`, 'owner')).status).toBe(200);
    expect(await alive(token)).toBe(false);
    expect((await create('owner', { email: user.email })).status).toBe(201);
  });

  test('not at a change of name; a change of role counts at once', async () => {
    const user = await madeBy('owner', { role_id: 6 });
    const token = await started.signIn(user.email);
    await put('owner', user.id, { first_name: 'New' });
    expect(await alive(token)).toBe(true);
    await put('owner', user.id, { role_id: 3 });
    const { body } = await started.call('GET', '/me', { token });
    expect([body.data.role.level, body.data.permissions.studios.length]).toEqual([3, 5]);
  });
});

test('the administrator of the installation is nobody’s colleague', async () => {
  const offered = await call('GET', '/films/choices/user_ids', 'owner');
  const people = offered.body.data.map(({ id }: { id: number }) => id);
  expect(people).toContain(ids.qa);
  expect(people).not.toContain(ids.admin);
  const { status, body } = await call('POST', '/films', 'owner', { name: 'Ours', user_ids: [ids.qa, ids.admin] });
  expect([status, Object.keys(body.errors)]).toEqual([422, ['user_ids']]);
});
