import { grantableModules } from '../../../src/server/accounts/permissions/grants';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { startProgram, type TestProgram } from './session/program';

let started: TestProgram;
const tokens: Record<string, string> = {};
beforeAll(async () => {
  started = await startProgram();
  for (const account of ['admin', 'owner', 'manager', 'developer', 'qa', 'external', 'owner@harbour.test']) {
    tokens[account] = await started.signIn(account);
  }
});
afterAll(() => started.close());

const get = (path: string, as = 'owner') => started.call('GET', path, { token: tokens[as] });
const userId = async (account: string) => {
  const row = await started.test.database.kysely
    .selectFrom('users')
    .select('id')
    .where('email', '=', account)
    .executeTakeFirstOrThrow();
  return row.id as number;
};
const why = (query: Record<string, string | number>, as = 'owner') =>
  get(
    `/permissions/why?${new URLSearchParams(Object.entries(query).map(([name, value]) => [name, String(value)]))}`,
    as,
  );

describe('GET module-permissions', () => {
  test('is the tree of everything that can be granted', async () => {
    const { status, body } = await get('/module-permissions');
    expect(status).toBe(200);
    expect(body.data.map(({ module }: { module: string }) => module).sort()).toEqual(
      grantableModules(started.program.definitions.registry()).sort(),
    );
    expect(body.data.find(({ module }: { module: string }) => module === 'studios')).toEqual({
      module: 'studios',
      label: 'Studios',
      actions: ['list', 'view', 'create', 'edit', 'delete'].map((action) => ({ id: `studios.${action}`, action })),
    });
  });

  test.each([
    ['admin', 200],
    ['owner', 200],
    ['manager', 200],
    ['developer', 403],
    ['external', 403],
  ])('%s: %i', async (account, status) => {
    expect((await get('/module-permissions', account)).status).toBe(status);
    expect((await get('/permissions', account)).status).toBe(status);
  });
});

describe('GET permissions', () => {
  test('lists the permissions of each role', async () => {
    const { body } = await get('/permissions');
    expect(body.data.map(({ role_id, level }: { role_id: number; level: number }) => [role_id, level])).toEqual([
      [1, 1],
      [2, 2],
      [3, 3],
      [4, 4],
      [5, 5],
      [6, 6],
    ]);
    const [administrator, , , developer] = body.data;
    expect(Object.keys(developer)).toEqual([
      'role_id',
      'role_name',
      'key',
      'level',
      'modulePermission',
      'users',
      'fixed',
    ]);
    expect(developer.modulePermission).toEqual(expect.arrayContaining(['studios.list', 'films.view']));
    expect(developer.modulePermission).not.toContain('studios.create');
    expect(administrator.modulePermission).toHaveLength(
      grantableModules(started.program.definitions.registry()).length * 5,
    );
  });
});

describe('GET permissions/why', () => {
  test('allows an action that the role grants', async () => {
    const { body } = await why({ user_id: await userId('manager@demo.test'), module: 'studios', action: 'edit' });
    expect(body.data).toMatchObject({
      allowed: true,
      reason: 'The role grants studios.edit.',
      grant: 'studios.edit',
      rule: null,
    });
  });

  test('denies an action that the role does not grant', async () => {
    const { body } = await why({ user_id: await userId('developer@demo.test'), module: 'studios', action: 'edit' });
    const reason = "You don't have permission to edit Studios.";
    expect(body.data).toMatchObject({ allowed: false, reason, grant: null, rule: null });
  });

  test('explains a row rule for a record within it and for one outside', async () => {
    const user_id = await userId('external@demo.test');
    const question = { user_id, module: 'films', action: 'view' };
    expect((await why({ ...question, id: 1 })).body.data).toMatchObject({
      allowed: true,
      reason: 'The role grants films.view, only your films.',
      grant: 'films.view',
      rule: 'only your films',
    });
    expect((await why({ ...question, id: 2 })).body.data).toMatchObject({
      allowed: false,
      reason: 'Allowed is only your films.',
      grant: 'films.view',
      rule: 'only your films',
    });
  });

  test('explains that a record belongs to the installation', async () => {
    const owner = await why({ module: 'territories', action: 'edit', id: 1 });
    expect(owner.body.data.allowed).toBe(false);
    const role = await why({ module: 'roles', action: 'edit', id: 3 });
    expect(role.body.data).toMatchObject({ allowed: false, grant: 'roles.edit' });
    expect(role.body.data.reason).toContain('belongs to the installation');
    expect((await why({ module: 'sites', action: 'delete', id: 1 })).body.data.allowed).toBe(false);
  });

  test('level 1 has every permission', async () => {
    const { body } = await why({ module: 'studios', action: 'delete' }, 'admin');
    expect(body.data).toMatchObject({
      allowed: true,
      reason: 'Administrators of the installation hold every permission.',
    });
  });

  test('explains that an account is not active', async () => {
    const { kysely } = started.test.database;
    const set = (status_id: number) =>
      kysely.updateTable('users').set({ status_id }).where('email', '=', 'qa@demo.test').execute();
    await set(3);
    const { body } = await why({ user_id: await userId('qa@demo.test'), module: 'studios', action: 'list' });
    await set(1);
    expect(body.data).toMatchObject({ allowed: false, reason: 'The account is not active.', grant: null, rule: null });
  });

  test('reveals nothing about another company', async () => {
    const foreign = await userId('owner@harbour.test');
    expect((await why({ user_id: foreign, module: 'studios', action: 'list' })).status).toBe(404);
    const client = await started.test.database.kysely
      .selectFrom('studios')
      .select('id')
      .where('site_id', '=', 2)
      .executeTakeFirstOrThrow();
    expect((await why({ module: 'studios', action: 'view', id: client.id })).status).toBe(404);
    expect((await why({ module: 'studios', action: 'view', id: 2_000_000 })).status).toBe(404);
    const admin = await why(
      { user_id: await userId('owner@demo.test'), module: 'studios', action: 'view', id: client.id },
      'admin',
    );
    expect(admin.body.data).toMatchObject({ allowed: false, reason: 'The record belongs to another company.' });
  });

  test('explains permissions of colleagues only to users who can see roles and users', async () => {
    const user_id = await userId('owner@demo.test');
    expect((await why({ user_id, module: 'studios', action: 'list' }, 'developer')).status).toBe(403);
    expect((await why({ module: 'studios', action: 'list' }, 'developer')).body.data.allowed).toBe(true);
  });

  test.each([
    [{ module: 'nothing', action: 'list' }],
    [{ module: 'studios', action: 'burn' }],
    [{ module: 'studios' }],
    [{ action: 'list' }],
    [{ module: 'studios', action: 'list', user_id: 'me' }],
    [{ module: 'studios', action: 'list', id: '9007199254740992' }],
    [{ module: 'studios', action: 'list', field: 'constructor' }],
    [{ module: 'studios', action: 'list', role: '1' }],
  ])('%j: 400', async (query) => {
    expect((await why(query as Record<string, string>)).status).toBe(400);
  });
});
