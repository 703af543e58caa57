import { fetchUtils } from 'react-admin';
import simpleRestProvider from 'ra-data-simple-rest';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { password } from '../../support/accounts';
import { accounts, startFixtureProgram, type Client, type DemoProgram } from '../../support/program';

const pages = 'https://reports.example.com';
let program: DemoProgram;
let api: string;
let token: string;
let admin: Client;
beforeAll(async () => {
  program = await startFixtureProgram({ env: { CORS_ORIGINS: pages } });
  api = `${await program.app.listen({ port: 0, host: '127.0.0.1' })}/api`;
  admin = await program.signIn(accounts.admin);
  const { body } = await program.call<{ token: string }>('POST', '/login', { email: accounts.admin, password });
  ({ token } = body);
});
afterAll(() => program?.close());

/** The data provider as its package ships it, with a token and without envelopes. */
const stock = () =>
  simpleRestProvider(api, async (url, options = {}) =>
    fetchUtils.fetchJson(`${url}${url.includes('?') ? '&' : '?'}envelope=none`, {
      ...options,
      user: { authenticated: true, token: `Bearer ${token}` },
    }),
  );

describe('ra-data-simple-rest as it ships', () => {
  test('lists every resource', async () => {
    const names = [...program.program.definitions.registry().definitions.keys()];
    expect(names.length).toBeGreaterThan(10);
    for (const name of names) {
      const { data, total } = await stock().getList(name, {
        pagination: { page: 1, perPage: 3 },
        sort: { field: 'id', order: 'DESC' },
        filter: {},
      });
      expect(Array.isArray(data), name).toBe(true);
      expect(total, name).toBeGreaterThanOrEqual(data.length);
      if (!data[0]) continue;
      const { data: one } = await stock().getOne(name, { id: data[0].id as number });
      expect(one.id, name).toBe(data[0].id);
      const { data: many } = await stock().getMany(name, { ids: data.map(({ id }) => id as number) });
      expect(many.map(({ id }) => id as number).sort(), name).toEqual(data.map(({ id }) => id as number).sort());
    }
  });

  test.each(['roles', 'user-status'])('creates, changes as a whole and deletes one of %s', async (name) => {
    const title = name === 'roles' ? 'role_name' : 'option_name';
    const more = name === 'roles' ? { level: 3, site_id: 1 } : {};
    const { data: created } = await stock().create(name, { data: { [title]: 'Stock', ...more } });
    expect(created).toMatchObject({ [title]: 'Stock' });
    const id = created.id as number;
    const { data: read } = await stock().getOne(name, { id });
    const change = { id, data: { ...read, [title]: 'Stock 2' }, previousData: read };
    expect((await stock().update(name, change)).data).toMatchObject({ id, [title]: 'Stock 2' });
    await stock().updateMany(name, { ids: [id], data: { [title]: 'Stock 3' } });
    expect((await stock().getOne(name, { id })).data).toMatchObject({ [title]: 'Stock 3' });
    expect((await stock().delete(name, { id })).data).toMatchObject({ id });
    await expect(stock().getOne(name, { id })).rejects.toMatchObject({ status: 404 });
  });
});

describe('?envelope=', () => {
  test.each([
    ['GET', '/roles?envelope=data'],
    ['GET', '/roles/1?envelope='],
    ['POST', '/roles?envelope=1'],
    ['PUT', '/roles/1?envelope=None'],
    ['GET', '/roles?envelope=none&envelope=none'],
  ])('%s %s is refused, and nothing is stored', async (method, path) => {
    const before = (await admin('GET', '/roles')).body;
    const body = method === 'GET' ? undefined : { role_name: 'Enveloped', level: 3, site_id: 1 };
    const { status, body: problem } = await admin<{ message: string }>(method, path, body);
    expect([status, problem.message]).toEqual([
      400,
      'envelope can only be none, which returns records without an envelope.',
    ]);
    expect((await admin('GET', '/roles')).body).toEqual(before);
  });
});

describe('PATCH r/{id}', () => {
  test('changes the fields that were sent, as PUT does', async () => {
    const { body: made } = await admin<{ data: { id: number } }>('POST', '/roles', {
      role_name: 'Patched',
      level: 3,
      site_id: 1,
    });
    const path = `/roles/${made.data.id}`;
    const { status, body } = await admin<{ data: object }>('PATCH', path, { role_name: 'Patched 2' });
    expect([status, body.data]).toEqual([200, expect.objectContaining({ role_name: 'Patched 2', level: 3 })]);
    expect((await admin('GET', path)).body).toEqual(body);
    const { body: history } = await admin<{ data: { new_values: object }[] }>('GET', `${path}/history`);
    expect(history.data[0]!.new_values).toEqual({ role_name: 'Patched 2' });
  });

  test.each<[string, object, number, object]>([
    ['/roles/1', { role_name: '' }, 422, { errors: { role_name: expect.any(String) } }],
    ['/roles/1', { nonsense: 1 }, 422, { errors: { nonsense: 'Unknown property nonsense.' } }],
    ['/roles/1', { role_name: 'X', updated_at: '2001-01-01T00:00:00.000Z' }, 409, { code: 'CONFLICT_STALE' }],
    ['/roles/999999', { role_name: 'X' }, 404, { code: 'NOT_FOUND' }],
    ['/roles/x', { role_name: 'X' }, 404, { code: 'NOT_FOUND' }],
    ['/nothing/1', { role_name: 'X' }, 404, { code: 'NOT_FOUND' }],
  ])('PATCH %s %j is refused with %i', async (path, body, status, problem) => {
    const answer = await admin('PATCH', path, body);
    expect([answer.status, answer.body]).toEqual([status, expect.objectContaining(problem)]);
  });

  test('without the grant it is refused, and an external user does not learn of it', async () => {
    const external = await program.signIn(accounts.external);
    expect((await external('PATCH', '/roles/1', { role_name: 'X' })).status).toBe(403);
    expect((await program.call('PATCH', '/roles/1', { role_name: 'X' })).status).toBe(401);
  });
});

describe('pages of other origins', () => {
  const ask = (origin: string, method = 'PUT') =>
    fetch(`${api}/roles/1`, {
      method: 'OPTIONS',
      headers: {
        origin,
        'access-control-request-method': method,
        'access-control-request-headers': 'authorization,content-type',
      },
    });

  test('an allowed origin may call with a token, and reads what lists need', async () => {
    const preflight = await ask(pages);
    expect(preflight.status).toBe(204);
    expect(Object.fromEntries(preflight.headers)).toMatchObject({
      'access-control-allow-origin': pages,
      'access-control-allow-methods': 'GET, HEAD, POST, PUT, PATCH, DELETE',
      'access-control-allow-headers': expect.stringContaining('Authorization'),
    });
    expect(preflight.headers.has('access-control-allow-credentials')).toBe(false);
    const list = await fetch(`${api}/roles`, { headers: { origin: pages, authorization: `Bearer ${token}` } });
    expect(list.status).toBe(200);
    expect(list.headers.get('access-control-allow-origin')).toBe(pages);
    expect(list.headers.get('access-control-expose-headers')).toContain('Content-Range');
    expect(list.headers.get('vary')).toContain('Origin');
  });

  test('an error is readable there too', async () => {
    const refused = await fetch(`${api}/roles`, { headers: { origin: pages } });
    expect([refused.status, refused.headers.get('access-control-allow-origin')]).toEqual([401, pages]);
  });

  test.each(['https://other.example.com', 'http://reports.example.com', 'null'])('%s may not', async (origin) => {
    expect((await ask(origin)).headers.has('access-control-allow-origin')).toBe(false);
    const list = await fetch(`${api}/roles`, { headers: { origin, authorization: `Bearer ${token}` } });
    expect(list.headers.has('access-control-allow-origin')).toBe(false);
  });

  test('without the setting there are no such headers', async () => {
    const closed = await startFixtureProgram();
    const answer = await closed.app.inject({ url: '/api/roles', headers: { origin: pages } });
    expect(Object.keys(answer.headers).filter((name) => name.startsWith('access-control'))).toEqual([]);
    const preflight = await closed.app.inject({ method: 'OPTIONS', url: '/api/roles', headers: { origin: pages } });
    expect(preflight.statusCode).toBe(404);
    await closed.close();
  });
});
