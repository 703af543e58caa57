import pino from 'pino';
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';
import { openDatabase } from '../../../../src/server/database/database';
import { clearAccessCache } from '../../../../src/server/accounts/session/access-cache';
import { authenticate } from '../../../../src/server/accounts/session/authenticate';
import { hashToken } from '../../../../src/server/accounts/session/tokens';
import { startProgram, type TestProgram } from './program';

let started: TestProgram;
beforeAll(async () => {
  started = await startProgram();
});
afterAll(() => started.close());

const get = (path: string, token?: string) => started.call('GET', path, { token });
const tokens = () => started.program.database.kysely.withSchema('assay');
const forget = () => started.program.database.transaction((trx) => clearAccessCache(started.program.database, trx));

/** Moves the last use of a sign-in into the past. */
async function useAgo(token: string, minutes: number): Promise<string> {
  const last_used_at = new Date(Date.now() - minutes * 60_000);
  await tokens().updateTable('tokens').set({ last_used_at }).where('hash', '=', hashToken(token)).execute();
  await forget();
  return last_used_at.toISOString();
}

async function lastUse(token: string): Promise<string> {
  const row = await tokens()
    .selectFrom('tokens')
    .select('last_used_at')
    .where('hash', '=', hashToken(token))
    .executeTakeFirstOrThrow();
  return row.last_used_at as string;
}

describe('GET me', () => {
  test('returns the account and its permissions', async () => {
    const { status, body } = await get('/me', await started.signIn('manager'));
    expect(status).toBe(200);
    expect(Object.keys(body.data)).toEqual([
      'user',
      'role',
      'totalStudios',
      'totalFilms',
      'roles',
      'permissions',
      'preferences',
    ]);
    expect(body.data.user).toMatchObject({
      email: 'manager@demo.test',
      name: 'Mateo Vidal',
      site_id: 1,
      site: { id: 1, name: 'Atlas Pictures' },
    });
    expect(body.data.role).toEqual({ id: 3, role_name: 'Manager', key: 'manager', level: 3 });
    expect(body.data.roles).toContainEqual({ key: 'qa', name: 'QA', level: 5 });
    expect(body.data.permissions.studios).toEqual(['list', 'view', 'create', 'edit', 'delete']);
    expect(body.data.permissions.users).toEqual(['list', 'view']);
    expect(body.data.permissions.sites).toBeUndefined();
  });

  test('level 1 has all permissions', async () => {
    const { body } = await get('/me', await started.signIn('admin'));
    for (const name of started.program.definitions.registry().definitions.keys()) {
      expect(body.data.permissions[name]).toHaveLength(5);
    }
  });
});

describe('a token', () => {
  test.each([
    ['nothing', undefined],
    ['another scheme', 'Basic b3duZXI6eA=='],
    ['no token', 'Bearer '],
    ['an unknown one', `Bearer ${'x'.repeat(43)}`],
    ['a long one', `Bearer ${'x'.repeat(5000)}`],
    ['SQL', "Bearer ' or 1=1 --"],
  ])('%s: 401', async (_, authorization) => {
    const headers = authorization === undefined ? {} : { authorization };
    const answer = await started.app.inject({ method: 'GET', url: '/api/me', headers });
    expect(answer.statusCode).toBe(401);
    expect(answer.json()).toEqual({ message: 'Unauthenticated.', code: 'UNAUTHENTICATED' });
  });

  test('is not stored anywhere', async () => {
    const token = await started.signIn('owner');
    const rows = await tokens().selectFrom('tokens').selectAll().execute();
    expect(JSON.stringify(rows)).not.toContain(token);
    expect(rows.some((row) => (row.hash as Buffer).equals(hashToken(token)))).toBe(true);
  });

  test('expires after twelve hours without use', async () => {
    const token = await started.signIn('owner');
    await useAgo(token, 12 * 60 - 1);
    expect((await get('/me', token)).status).toBe(200);
    await useAgo(token, 12 * 60 + 1);
    expect((await get('/me', token)).status).toBe(401);
  });

  test('its use is recorded, at most once a minute', async () => {
    const token = await started.signIn('owner');
    const recent = await useAgo(token, 0.9);
    await get('/me', token);
    expect(await lastUse(token)).toBe(recent);
    const old = await useAgo(token, 1.1);
    await get('/me', token);
    expect(Date.parse(await lastUse(token))).toBeGreaterThan(Date.parse(old));
  });

  test('costs no query once it is cached', async () => {
    const headers = { authorization: `Bearer ${await started.signIn('qa')}` };
    const actor = await authenticate(started.program, { headers });
    const connect = vi.spyOn(started.program.database.pool, 'connect');
    for (let i = 0; i < 50; i++) expect(await authenticate(started.program, { headers })).toBe(actor);
    expect(connect).not.toHaveBeenCalled();
    connect.mockRestore();
  });

  test('concurrent first requests look it up once', async () => {
    const headers = { authorization: `Bearer ${await started.signIn('qa')}` };
    const actors = await Promise.all(Array.from({ length: 20 }, () => authenticate(started.program, { headers })));
    expect(new Set(actors).size).toBe(1);
  });

  test('changes by another server take effect here', async () => {
    const token = await started.signIn('external');
    expect((await get('/me', token)).body.data.permissions.studios).toBeUndefined();
    const other = openDatabase(started.test.url, pino({ level: 'silent' }));
    await other.transaction(async (trx) => {
      await trx
        .withSchema('assay')
        .insertInto('grants')
        .values({ role_id: 6, module: 'studios', action: 'list' })
        .execute();
      await clearAccessCache(other, trx);
    });
    await other.close();
    await expect.poll(async () => (await get('/me', token)).body.data.permissions.studios).toEqual(['list']);
  });
});

describe('signing out', () => {
  test('ends only this token', async () => {
    const [first, second] = [await started.signIn('owner'), await started.signIn('owner')];
    expect((await started.call('POST', '/logout', { token: first })).status).toBe(200);
    expect((await get('/me', first)).status).toBe(401);
    expect((await started.call('POST', '/logout', { token: first })).status).toBe(401);
    expect((await get('/me', second)).status).toBe(200);
  });
});

describe('sign-ins', () => {
  test('are listed with the current one, and can be ended one by one', async () => {
    const [used, other] = [await started.signIn('developer'), await started.signIn('developer')];
    const { body } = await get('/sign-ins', used);
    expect(body.data).toHaveLength(2);
    for (const signIn of body.data) {
      expect(Object.keys(signIn).sort()).toEqual(['agent', 'created_at', 'current', 'id', 'last_used_at']);
      expect(signIn.agent).toBe('Test browser');
    }
    const not = body.data.filter((signIn: { current: boolean }) => !signIn.current);
    expect(not).toHaveLength(1);
    const ended = await started.call('DELETE', `/sign-ins/${not[0].id}`, { token: used });
    expect([ended.status, ended.body.data.id]).toEqual([200, not[0].id]);
    expect((await get('/me', other)).status).toBe(401);
    expect((await get('/sign-ins', used)).body.data).toHaveLength(1);
  });

  test.each([['99999999999'], ['0'], ['-1'], ['abc'], ['1%00']])('%s is not found', async (id) => {
    const answer = await started.call('DELETE', `/sign-ins/${id}`, { token: await started.signIn('qa') });
    expect(answer.status).toBe(404);
  });

  test("another user's is not found", async () => {
    const [mine, theirs] = [await started.signIn('qa'), await started.signIn('manager')];
    const { id } = (await get('/sign-ins', theirs)).body.data[0];
    expect((await started.call('DELETE', `/sign-ins/${id}`, { token: mine })).status).toBe(404);
    expect((await get('/me', theirs)).status).toBe(200);
  });
});
