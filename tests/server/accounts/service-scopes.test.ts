import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { accounts, startFixtureProgram, type Client, type DemoProgram } from '../../support/program';
import { createServiceAccount } from '../../support/service-account';

type Row = Record<string, unknown> & { id: number };
interface One {
  readonly data: Row;
  readonly message?: string;
  readonly errors?: Record<string, string>;
}

let program: DemoProgram;
let owner: Client;
let made = 0;

beforeAll(async () => {
  program = await startFixtureProgram();
  owner = await program.signIn(accounts.owner);
});
afterAll(() => program?.close());

const actions = ['list', 'view', 'create', 'edit', 'delete'] as const;

/** A service account of the company's owner role, limited to scopes, with the calls of its token. */
const limited = (scopes: readonly string[], more: object = {}) =>
  createServiceAccount(program, owner, { limited: true, scopes, ...more });

const studio = () => ({
  name: `Scoped studio ${++made}`,
  code: `SC${made}`,
  email: 'studio@demo.test',
  address: 'Quay 1',
  post_code: '1000',
  territory_id: 1,
});

/** A call for each action on studios. */
async function callsOn(call: Client): Promise<Record<string, number>> {
  const created = await owner<Row & { data?: Row }>('POST', '/studios', studio());
  const { id } = created.body.data ?? (created.body as Row);
  return {
    list: (await call('GET', '/studios')).status,
    view: (await call('GET', `/studios/${id}`)).status,
    create: (await call('POST', '/studios', studio())).status,
    edit: (await call('PATCH', `/studios/${id}`, { name: `Scoped studio ${++made}` })).status,
    delete: (await call('DELETE', `/studios/${id}`)).status,
  };
}

describe('scope × call', () => {
  test.each(actions)('%s alone', async (action) => {
    const { call } = await limited([`studios.${action}`]);
    const statuses = await callsOn(call);
    for (const one of actions) {
      if (one === action) expect(statuses[one], one).toBeLessThan(300);
      else expect(statuses[one], one).toBe(403);
    }
    expect((await call('GET', '/films')).status).toBe(403);
  });

  test('an account with all scopes, and one without', async () => {
    const all = await callsOn((await limited(actions.map((action) => `studios.${action}`))).call);
    expect(Object.values(all).every((status) => status < 300)).toBe(true);
    const none = await callsOn((await limited([])).call);
    expect(Object.values(none)).toEqual([403, 403, 403, 403, 403]);
  });

  test('bulk changes, exports, choices, aggregates and search keep to them', async () => {
    const { call } = await limited(['studios.list']);
    const { body } = await owner<Row[]>('GET', '/studios?range=[0,0]');
    const [first] = body;
    expect((await call('PUT', '/studios/bulk-edit', { ids: [first!.id], name: 'x' })).status).toBeGreaterThanOrEqual(
      400,
    );
    const bulk = await call<{ message: string }>('POST', '/studios/bulk', { create: [studio()] });
    expect([403, 404, 422], JSON.stringify(bulk.body)).toContain(bulk.status);
    expect((await call('GET', '/films/excel')).status).toBeGreaterThanOrEqual(400);
    expect((await call('GET', '/films?range=[0,0]')).status).toBe(403);
    expect((await call('GET', `/studios/${first!.id}/history`)).status).toBe(403);
    const word = String(first!.name).split(' ')[0]!;
    const found = await call<{ data: { resource: string }[] }>('GET', `/search?q=${encodeURIComponent(word)}`);
    expect(found.status).toBe(200);
    expect(new Set(found.body.data.map(({ resource }) => resource))).toEqual(new Set(['studios']));
    const blind = await limited(['films.create']);
    expect((await blind.call('GET', `/search?q=${encodeURIComponent(word)}`)).status).toBe(403);
  });

  test('what a level allows without a grant is in no scope', async () => {
    const { call } = await limited(['studios.list']);
    const answer = await call<{ message: string }>('POST', '/notifications', { title: 'x', text: 'y' });
    expect([answer.status, answer.body.message]).toEqual([
      403,
      'This service account is limited to its scopes, and this call belongs to none of them.',
    ]);
    expect((await call('GET', '/single-sign-on')).status).toBe(403);
  });

  test('a refusal and "Why?" name the scopes; what the role refuses, the role', async () => {
    const { id, call } = await limited(['studios.list'], { role_id: 3 });
    const refused = await call<{ message: string }>('POST', '/studios', studio());
    expect([refused.status, refused.body.message]).toEqual([
      403,
      "The scopes of this service account don't include to create Studios.",
    ]);
    const why = async (module: string, action: string) =>
      (await owner<One>('GET', `/permissions/why?module=${module}&action=${action}&service_account_id=${id}`)).body
        .data;
    expect(await why('studios', 'list')).toMatchObject({ allowed: true });
    expect(await why('studios', 'create')).toMatchObject({
      allowed: false,
      grant: null,
      reason: "The scopes of this service account don't include to create Studios.",
      steps: [{ kind: 'grant', outcome: 'failed', text: expect.stringContaining('holds it') }, {}, {}],
    });
    const other = await why('genres', 'create');
    expect(other).toMatchObject({ allowed: false, reason: expect.stringMatching(/^You don't have permission/) });
  });
});

describe('scopes of a service account', () => {
  test('are read, replaced, switched off and on; the change counts at once', async () => {
    const { id, call, record } = await limited(['studios.view', 'studios.list']);
    expect(record).toMatchObject({ limited: true, scopes: ['studios.list', 'studios.view'] });
    const put = (values: object) => owner<One>('PUT', `/service-accounts/${id}`, values);
    const statuses = async () => [
      (await call('GET', '/studios')).status,
      (await call('POST', '/studios', studio())).status,
    ];
    expect(await statuses()).toEqual([200, 403]);
    expect((await put({ scopes: ['studios.create'] })).body.data).toMatchObject({ scopes: ['studios.create'] });
    expect(await statuses()).toEqual([403, 201]);
    expect((await put({ limited: false })).status).toBe(200);
    expect(await statuses()).toEqual([200, 201]);
    // Other changes leave them.
    expect((await put({ limited: true, name: `Renamed ${++made}` })).body.data).toMatchObject({
      scopes: ['studios.create'],
    });
    expect(await statuses()).toEqual([403, 201]);
  });

  test('never add to the role, however the role changes', async () => {
    const { id, call } = await limited(['studios.list', 'studios.create'], { role_id: 3 });
    expect((await call('POST', '/studios', studio())).status).toBe(201);
    expect((await owner('PUT', `/service-accounts/${id}`, { role_id: 6 })).status).toBe(200);
    const refused = await call<{ message: string }>('POST', '/studios', studio());
    expect([refused.status, refused.body.message]).toEqual([
      403,
      expect.stringMatching(/^You don't have permission to create/),
    ]);
    // What it had is kept; what its role does not grant is not added.
    expect((await owner('PUT', `/service-accounts/${id}`, { scopes: ['studios.list', 'studios.create'] })).status).toBe(
      200,
    );
    const more = await owner<One>('PUT', `/service-accounts/${id}`, { scopes: ['studios.delete'] });
    expect([more.status, more.body.errors]).toEqual([
      422,
      { scopes: 'The role does not grant studios.delete: a scope cannot add to it.' },
    ]);
  });

  test.each<[string, unknown]>([
    ['an unknown module', ['nowhere.list']],
    ['an unknown action', ['studios.fly']],
    ['no list', 'studios.list'],
    ['a module that no role grants', ['automation-runs.list']],
  ])('%s is refused, and nothing is stored', async (_what, scopes) => {
    const name = `Refused ${++made}`;
    const { status } = await owner('POST', '/service-accounts', { name, role_id: 2, limited: true, scopes });
    expect(status).toBe(422);
    const { body } = await owner('GET', '/service-accounts?range=[0,199]');
    expect(JSON.stringify(body)).not.toContain(name);
  });

  test('nobody gives a scope that they do not have', async () => {
    const restricted = await program.restricted();
    const manage = actions.map((action) => `service-accounts.${action}`);
    await restricted.grant([...manage, 'roles.list', 'roles.view']);
    const answer = await restricted.call<One>('POST', '/service-accounts', {
      name: 'More',
      role_id: 6,
      limited: true,
      scopes: ['studios.delete'],
    });
    expect(answer.status).toBe(403);
  });
});
