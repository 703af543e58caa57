import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';
import { accounts, startFixtureProgram, type Client, type DemoProgram } from '../../support/program';
import { clientOf, createServiceAccount, createToken } from '../../support/service-account';

type Row = Record<string, unknown> & { id: number };
interface One {
  readonly data: Row;
}

let program: DemoProgram;
let admin: Client;
let owner: Client;
let harbour: Client;
let made = 0;

beforeAll(async () => {
  program = await startFixtureProgram();
  [admin, owner, harbour] = [
    await program.signIn(accounts.admin),
    await program.signIn(accounts.owner),
    await program.signIn(accounts.harbour),
  ];
});
afterAll(() => program?.close());

const query = async (text: string) => (await program.program.database.pool.query(text)).rows as Row[];
const withToken = (token: string) => clientOf(program, token);

const studio = () => ({
  name: `Studio ${++made}`,
  code: `S${made}`,
  email: 'studio@demo.test',
  address: 'Quay 1',
  post_code: '1000',
  territory_id: 1,
});
const createStudio = async (call: Client) => {
  const { status, body } = await call<Row & { data?: Row }>('POST', '/studios', studio());
  return { status, record: body.data ?? (body as Row) };
};

/** A service account of the first company, with a token. */
const createAccount = (values: object = {}, by = owner) => createServiceAccount(program, by, { role_id: 3, ...values });
const newToken = (id: number, by = owner) => createToken(id, by);

describe('a token', () => {
  test('begins with its prefix, is shown once and is stored as a hash', async () => {
    const { id, token } = await createAccount();
    expect(token).toMatch(/^assay_[\w-]{43}$/);
    const { body } = await owner<One>('GET', `/service-accounts/${id}`);
    expect(body.data).toMatchObject({ token_end: token.slice(-4), last_used_at: null, active: true });
    expect(JSON.stringify(body)).not.toContain(token);
    const stored = JSON.stringify([
      await query('select * from public.service_accounts'),
      await query("select encode(hash, 'escape') as hash from assay.service_accounts"),
      await query('select * from assay.security_log'),
      await query('select * from assay.history'),
    ]);
    expect(stored).not.toContain(token.slice(6));
    expect(
      await query(`select subject from assay.security_log where resource = 'service-accounts' order by id`),
    ).toEqual(expect.arrayContaining([{ subject: expect.stringMatching(/^New token of Account/) }]));
  });

  test('does what the role of its account allows, in its name, within its company', async () => {
    const { call, name } = await createAccount();
    const listed = await call<Row[]>('GET', '/studios?sort=["id","ASC"]');
    const ofOwner = await owner<Row[]>('GET', '/studios?sort=["id","ASC"]');
    expect(listed.status).toBe(200);
    expect(JSON.stringify(listed.body)).toContain('"id"');
    expect(listed.headers['content-range']).toBe(ofOwner.headers['content-range']);
    const created = await call<Row>('POST', '/genres', { name: `Genre of ${name}` });
    expect(created.status).toBe(403);

    const { status, record } = await createStudio(call);
    expect(status, JSON.stringify(record)).toBe(201);
    const [history] = await query(
      `select u.first_name, u.site_id from assay.history h join users u on u.id = h.user_id
       where h.resource = 'studios' and h.record_id = ${record.id}`,
    );
    expect(history).toEqual({ first_name: name, site_id: 1 });
    expect((await harbour('GET', `/studios/${record.id}`)).status).toBe(404);
  });

  test('ends with a new one, when its account is switched off, deleted or expired, and not before', async () => {
    const { id, token, call } = await createAccount();
    const status = async (one: Client = call) => (await one('GET', '/studios')).status;
    expect(await status()).toBe(200);
    const next = withToken(await newToken(id));
    expect([await status(), await status(next)]).toEqual([401, 200]);

    expect((await owner('PUT', `/service-accounts/${id}`, { active: false })).status).toBe(200);
    expect(await status(next)).toBe(401);
    expect((await owner('PUT', `/service-accounts/${id}`, { active: true })).status).toBe(200);
    expect(await status(next)).toBe(200);

    expect((await owner('PUT', `/service-accounts/${id}`, { expires_at: '2020-01-01T00:00:00Z' })).status).toBe(200);
    expect(await status(next)).toBe(401);
    const soon = new Date(Date.now() + 1_500).toISOString();
    expect((await owner('PUT', `/service-accounts/${id}`, { expires_at: soon })).status).toBe(200);
    expect(await status(next)).toBe(200);
    // Nothing clears the cache of tokens at that moment.
    await vi.waitFor(async () => expect(await status(next)).toBe(401), { timeout: 5_000, interval: 100 });

    expect((await owner('PUT', `/service-accounts/${id}`, { expires_at: null })).status).toBe(200);
    expect(await status(next)).toBe(200);
    expect((await owner('DELETE', `/service-accounts/${id}`)).status).toBeLessThan(300);
    expect([await status(next), await status(withToken(token.replace('assay_', '')))]).toEqual([401, 401]);
  });

  test('follows a change of the role at once', async () => {
    const { id, call } = await createAccount();
    expect((await createStudio(call)).status).toBe(201);
    expect((await owner('PUT', `/service-accounts/${id}`, { role_id: 6 })).status).toBe(200);
    expect((await createStudio(call)).status).toBe(403);
  });

  test('records its use, which changes neither the history nor who changed the account when', async () => {
    const { id, call } = await createAccount();
    const before = (await owner<One>('GET', `/service-accounts/${id}`)).body.data;
    expect((await call('GET', '/studios')).status).toBe(200);
    const after = (await owner<One>('GET', `/service-accounts/${id}`)).body.data;
    expect(Date.parse(after.last_used_at as string)).toBeGreaterThan(Date.now() - 60_000);
    expect(after).toEqual({ ...before, last_used_at: after.last_used_at });
  });
});

describe('a service account has nothing of a person', () => {
  const refused: readonly [method: string, path: string, body?: object][] = [
    ['GET', '/me'],
    ['GET', '/profile'],
    ['GET', '/profile/data'],
    ['GET', '/sign-ins'],
    ['POST', '/logout'],
    ['GET', '/notifications'],
    ['POST', '/me/proof', { password: 'Demo@1234' }],
    ['POST', '/change-password', { current_password: 'Demo@1234', password: 'Other@12345' }],
  ];
  test.each(refused)('%s %s', async (method, path, body) => {
    const { call } = await createAccount();
    const answer = await call<{ message: string }>(method, path, body);
    expect([403, 404]).toContain(answer.status);
    expect(JSON.stringify(answer.body)).not.toContain('@service-account');
  });

  test('cannot view as others', async () => {
    const { call } = await createAccount({ role_id: 2 });
    const answer = await call<{ message: string }>('GET', '/studios', undefined, { 'x-view-as': 'role 3' });
    expect(answer).toMatchObject({ status: 403, body: { message: 'Service accounts cannot view as other users.' } });
  });

  test('its user is nobody: not listed, chosen, assigned, viewed as, signed in, or erased', async () => {
    const { id, name } = await createAccount();
    const [user] = await query(`select user_id as id from assay.service_accounts where service_account_id = ${id}`);
    expect(JSON.stringify((await owner('GET', '/users?range=[0,99]')).body)).not.toContain(name);
    expect((await owner('GET', `/users/${user!.id}`)).status).toBe(404);
    expect((await owner('PUT', `/users/${user!.id}`, { first_name: 'Eve' })).status).toBe(404);
    expect(JSON.stringify((await owner('GET', '/deleted-users')).body)).not.toContain(name);
    expect((await owner('POST', '/erase-person', { user_id: user!.id })).status).toBe(404);
    expect((await owner('GET', '/studios', undefined, { 'x-view-as': `user ${user!.id}` })).status).toBe(404);
  });
});

describe('access to service accounts', () => {
  test.each(['manager', 'developer', 'qa', 'external'] as const)('%s can neither see nor make any', async (who) => {
    const call = await program.signIn(accounts[who]);
    const { id } = await createAccount();
    expect((await call('GET', '/service-accounts')).status).toBe(403);
    expect((await call('GET', `/service-accounts/${id}`)).status).toBe(403);
    expect((await call('POST', '/service-accounts', { name: 'Mine', role_id: 3 })).status).toBe(403);
    expect((await call('POST', `/service-accounts/${id}/token`)).status).toBe(403);
    expect((await call('DELETE', `/service-accounts/${id}`)).status).toBe(403);
  });

  test('another company knows nothing of it', async () => {
    const { id, name } = await createAccount();
    expect(JSON.stringify((await harbour('GET', '/service-accounts?range=[0,99]')).body)).not.toContain(name);
    for (const [method, path, body] of [
      ['GET', `/service-accounts/${id}`],
      ['PUT', `/service-accounts/${id}`, { role_id: 6 }],
      ['DELETE', `/service-accounts/${id}`],
      ['POST', `/service-accounts/${id}/token`],
      ['GET', `/permissions/why?module=studios&action=list&service_account_id=${id}`],
    ] as const)
      expect((await harbour(method, path, body)).status, `${method} ${path}`).toBe(404);
  });

  test('nobody gives more than they have: level 1, a stronger role, or a token of such an account', async () => {
    for (const call of [owner, admin]) {
      const answer = await call('POST', '/service-accounts', { name: 'All', role_id: 1, site_id: 1 });
      expect([403, 422]).toContain(answer.status);
    }
    // A manager who may manage service accounts, but not users.
    const restricted = await program.restricted();
    const all = ['list', 'view', 'create', 'edit', 'delete'].map((action) => `service-accounts.${action}`);
    await restricted.grant([...all, 'roles.list', 'roles.view']);
    const strong = await createAccount({ role_id: 2 });
    const equal = await createAccount({ role_id: 3 });
    const refusals = [
      await restricted.call('POST', '/service-accounts', { name: 'Stronger', role_id: 2 }),
      await restricted.call('POST', '/service-accounts', { name: 'Richer', role_id: 3 }),
      await restricted.call('POST', `/service-accounts/${strong.id}/token`),
      await restricted.call('POST', `/service-accounts/${equal.id}/token`),
      await restricted.call('PUT', `/service-accounts/${equal.id}`, { active: false }),
      await restricted.call('DELETE', `/service-accounts/${equal.id}`),
    ];
    expect(refusals.map(({ status }) => status)).toEqual([expect.any(Number), 403, 403, 403, 403, 403]);
    expect([403, 422]).toContain(refusals[0]!.status);
    expect((await equal.call('GET', '/studios')).status).toBe(200);
  });

  test('a service account makes no service accounts, roles or tokens: nobody confirmed their identity', async () => {
    const { id, call } = await createAccount({ role_id: 2 });
    expect((await call('POST', '/service-accounts', { name: 'Child', role_id: 6 })).status).toBe(403);
    expect((await call('POST', `/service-accounts/${id}/token`)).status).toBe(403);
    expect((await call('POST', '/roles', { role_name: 'Robots', level: 6 })).status).toBe(403);
  });
});

test('"Why?" explains what a service account may do, and that it is switched off', async () => {
  const { id, name } = await createAccount({ role_id: 3 });
  const why = (module: string) =>
    owner<One>('GET', `/permissions/why?module=${module}&action=create&service_account_id=${id}`);
  expect((await why('studios')).body.data).toMatchObject({ user: { name, level: 3 }, allowed: true });
  expect((await owner('PUT', `/service-accounts/${id}`, { active: false })).status).toBe(200);
  expect((await why('studios')).body.data).toMatchObject({ allowed: false, reason: 'The account is not active.' });
});

test('two service accounts of a company cannot have the same name; a renamed one is renamed in the history', async () => {
  const { id, name, call } = await createAccount();
  expect((await owner('POST', '/service-accounts', { name, role_id: 3 })).status).toBe(422);
  expect((await harbour('POST', '/service-accounts', { name, role_id: 3 })).status).toBe(201);
  const { record } = await createStudio(call);
  expect((await owner('PUT', `/service-accounts/${id}`, { name: 'Nightly' })).status).toBe(200);
  const history = await owner('GET', `/studios/${record.id}/history`);
  expect(JSON.stringify(history.body)).toContain('Nightly');
});
