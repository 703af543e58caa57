import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { clearAccessCache } from '../../../../src/server/accounts/session/access-cache';
import { startProgram, type TestProgram } from './program';

let started: TestProgram;
beforeAll(async () => {
  started = await startProgram();
});
afterAll(() => started.close());

const password = 'Demo@1234';

/** Moves the proofs of a person into the past. */
async function provenAgo(email: string, minutes: number): Promise<void> {
  const { database } = started.program;
  await database.transaction(async (trx) => {
    const { id } = await trx.selectFrom('users').select('id').where('email', '=', email).executeTakeFirstOrThrow();
    const proven_at = new Date(Date.now() - minutes * 60_000);
    await trx.withSchema('assay').updateTable('tokens').set({ proven_at }).where('user_id', '=', id).execute();
    await clearAccessCache(database, trx);
  });
}

type Step = [
  what: string,
  who: string,
  method: string,
  path: (ids: Ids) => string,
  body: object | ((ids: Ids) => object),
];
interface Ids {
  role: number;
  user: number;
}

let made = 0;
/** A role and a user of the company, new for every case. */
async function fresh(): Promise<Ids> {
  const token = await started.signIn('owner');
  const number = ++made;
  const role = await started.call('POST', '/roles', { token, body: { role_name: `Helper ${number}`, level: 4 } });
  const person = { first_name: 'Hal', last_name: 'Per', email: `helper${number}@demo.test`, role_id: 5, status_id: 1 };
  const user = await started.call('POST', '/users', { token, body: person });
  expect([role.status, user.status], JSON.stringify([role.body, user.body])).toEqual([201, 201]);
  return { role: role.body.data.id, user: user.body.data.id };
}

const guarded: Step[] = [
  ['making a role', 'owner', 'POST', () => '/roles', ({ role }) => ({ role_name: `Another ${role}`, level: 5 })],
  ['renaming a role', 'owner', 'PUT', ({ role }) => `/roles/${role}`, { role_name: 'Renamed' }],
  ['deleting a role', 'owner', 'DELETE', ({ role }) => `/roles/${role}`, {}],
  ["a role's permissions", 'owner', 'PUT', ({ role }) => `/permissions/${role}`, { modulePermission: ['shots.list'] }],
  [
    'the permissions of several roles',
    'owner',
    'PUT',
    () => '/permissions',
    ({ role }) => ({ roles: [{ role_id: role, modulePermission: ['shots.list'], before: [] }] }),
  ],
  ["a user's role", 'owner', 'PUT', ({ user }) => `/users/${user}`, { role_id: 4 }],
  [
    'a new owner',
    'owner',
    'POST',
    () => '/users',
    ({ user }) => ({
      first_name: 'New',
      last_name: 'Owner',
      email: `owner${user}@demo.test`,
      role_id: 2,
      status_id: 4,
    }),
  ],
];

describe('a recent proof of identity', () => {
  test.each(guarded)('%s requires one', async (_, who, method, path, body) => {
    const ids = await fresh();
    const token = await started.signIn(who);
    const send = () => started.call(method, path(ids), { token, body: typeof body === 'function' ? body(ids) : body });
    await provenAgo(`${who}@demo.test`, 10.1);
    const refused = await send();
    expect([refused.status, refused.body.code]).toEqual([403, 'PROOF_REQUIRED']);
    expect((await started.call('POST', '/me/proof', { token, body: { password } })).status).toBe(200);
    const done = await send();
    expect([200, 201], JSON.stringify(done.body)).toContain(done.status);
  });

  test('a sign-in counts as one for ten minutes', async () => {
    const ids = await fresh();
    const token = await started.signIn('owner');
    await provenAgo('owner@demo.test', 9.9);
    const renamed = await started.call('PUT', `/roles/${ids.role}`, { token, body: { role_name: 'Renamed' } });
    expect(renamed.status).toBe(200);
  });

  test.each<[string, string, (ids: Ids) => string, object]>([
    ['the name of a user', 'PUT', ({ user }) => `/users/${user}`, { first_name: 'Hallie' }],
    ['a client', 'PUT', () => '/studios/1', { city: 'Oslo' }],
    ["one's own name", 'PUT', () => '/profile/2', { first_name: 'Olivia' }],
  ])('%s needs none', async (_, method, path, body) => {
    const ids = await fresh();
    const token = await started.signIn('owner');
    await provenAgo('owner@demo.test', 60);
    const answer = await started.call(method, path(ids), { token, body });
    expect(answer.body.code).not.toBe('PROOF_REQUIRED');
  });

  test('a user without permission gets an error instead', async () => {
    const ids = await fresh();
    const token = await started.signIn('manager');
    await provenAgo('manager@demo.test', 60);
    const answer = await started.call('PUT', `/roles/${ids.role}`, { token, body: { role_name: 'Mine' } });
    expect([answer.status, answer.body.code]).toEqual([403, 'FORBIDDEN']);
  });
});

describe('me/proof', () => {
  test('returns until when, and applies to one sign-in only', async () => {
    const [one, other] = [await started.signIn('qa'), await started.signIn('qa')];
    const until = async (token: string) => (await started.call('GET', '/me/proof', { token })).body.data;
    expect(await until(one)).toEqual({ proven_until: expect.any(String), methods: ['password'], provider: null });
    await provenAgo('qa@demo.test', 11);
    expect((await until(one)).proven_until).toBeNull();
    const { body } = await started.call('POST', '/me/proof', { token: one, body: { password } });
    expect(Date.parse(body.data.proven_until)).toBeGreaterThan(Date.now() + 9 * 60_000);
    expect([(await until(one)).proven_until, (await until(other)).proven_until]).toEqual([expect.any(String), null]);
  });

  test('a wrong password is rejected, and attempts are limited', async () => {
    const token = await started.signIn('developer');
    await provenAgo('developer@demo.test', 11);
    for (let i = 0; i < 10; i++) {
      const wrong = await started.call('POST', '/me/proof', { token, body: { password: 'Wrong@1234' } });
      expect([wrong.status, wrong.body.errors]).toEqual([422, { password: 'This is not your password.' }]);
    }
    expect((await started.call('POST', '/me/proof', { token, body: { password } })).status).toBe(429);
    expect((await started.call('GET', '/me/proof', { token })).body.data.proven_until).toBeNull();
  });

  test('requires a sign-in', async () => {
    expect((await started.call('POST', '/me/proof', { body: { password } })).status).toBe(401);
  });
});
