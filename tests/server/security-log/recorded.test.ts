// @module-tag slow
import { sql } from 'kysely';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { deleteOldLogEntries } from '../../../src/server/security-log/retention';
import { securityEvents } from '../../../src/server/security-log/events';
import { issueCode, type CodePurpose } from '../../../src/server/accounts/session/codes';
import { entryBufferOf } from '../../../src/server/security-log/entry-buffer';
import { password } from '../../support/accounts';
import { fixtureDefinitions } from '../../support/definitions';
import { accounts, startFixtureProgram, type Client, type DemoProgram } from '../../support/program';

let demo: DemoProgram;
let admin: Client;
let owner: Client;
let manager: Client;
let harbour: Client;

interface Line {
  id: number;
  event: string;
  user: { id: number; name: string } | null;
  subject: string | null;
  resource: string | null;
  record_id: string | null;
  site_id: number | null;
  address: string | null;
  agent: string | null;
  request_id: string | null;
  times: number;
  detail: Record<string, unknown> | null;
  created_at: string;
}

beforeAll(async () => {
  demo = await startFixtureProgram({ env: { SECURITY_LOG_EXPORT_ROWS: '50' } });
  [admin, owner, manager, harbour] = (await Promise.all(
    [accounts.admin, accounts.owner, accounts.manager, accounts.harbour].map((email) => demo.signIn(email)),
  )) as [Client, Client, Client, Client];
});
afterAll(() => demo?.close());

async function log(call: Client, query = ''): Promise<Line[]> {
  await entryBufferOf(demo.program.database).flush();
  const answer = await call<Line[]>('GET', `/security-log?range=[0,99]${query}`);
  expect(answer.status, JSON.stringify(answer.body)).toBe(200);
  return answer.body;
}

const made = async (call: Client, path: string, body: object) => {
  const answer = await call<{ data?: { id: number }; id?: number }>('POST', path, body);
  expect(answer.status, JSON.stringify(answer.body)).toBe(201);
  return (answer.body.data ?? (answer.body as { id: number })).id!;
};

const fresh = { new_password: 'Quiet-ferry-81-lantern', confirm_password: 'Quiet-ferry-81-lantern' };

/** A code as a mail carries it. */
async function codeFor(user: number, purpose: CodePurpose): Promise<string> {
  return demo.program.database.transaction((trx) => issueCode(trx, user, purpose));
}

describe('records events with user, time, origin and request', () => {
  let user: number;
  let role: number;
  let other: number;
  const headers = { 'user-agent': 'scenario', 'x-request-id': 'scenario-1' };
  const person = { first_name: 'Log', last_name: 'Person', email: 'log@demo.test', role_id: 4, status_id: 1, password };

  const cases: [
    name: string,
    run: () => Promise<unknown>,
    event: string,
    line: Partial<Record<keyof Line, unknown>>,
  ][] = [
    [
      'a sign-in',
      () => demo.call('POST', '/login', { email: accounts.qa, password }, headers),
      'sign_in',
      { user: { id: 5, name: expect.any(String) } },
    ],
    [
      'a wrong password',
      () => demo.call('POST', '/login', { email: accounts.qa, password: 'Wrong@1234' }, headers),
      'sign_in_failed',
      { user: null, subject: accounts.qa },
    ],
    [
      'a new user',
      async () => {
        user = await made(owner, '/users', person);
      },
      'user_created',
      { resource: 'users', subject: 'Log Person' },
    ],
    [
      'a change of role',
      () => owner('PUT', `/users/${user}`, { role_id: 5 }, headers),
      'user_changed',
      { detail: { changed: ['Role'], role_id: { from: 4, to: 5 } } },
    ],
    [
      'a new role',
      async () => {
        role = await made(owner, '/roles', { role_name: 'Reader', level: 5 });
      },
      'role_created',
      { subject: 'Reader' },
    ],
    [
      'permissions',
      () => owner('PUT', `/permissions/${role}`, { modulePermission: ['shots.list'] }, headers),
      'permissions_changed',
      { subject: 'Reader', detail: { granted: ['shots.list'], taken: [] } },
    ],
    [
      'a role',
      () => owner('PUT', `/roles/${role}`, { role_name: 'Reviewer' }, headers),
      'role_changed',
      { subject: 'Reviewer', detail: { changed: ['Role Name'] } },
    ],
    [
      'the end of a role',
      () => owner('DELETE', `/roles/${role}`, undefined, headers),
      'role_deleted',
      { subject: 'Reviewer' },
    ],
    [
      'the end of a user',
      () => owner('DELETE', `/users/${user}`, undefined, headers),
      'user_deleted',
      { subject: 'Log Person' },
    ],
    [
      'a refusal',
      () => manager('DELETE', '/users/2', undefined, headers),
      'refused',
      {
        user: { id: 3, name: expect.any(String) },
        ...{ resource: 'users', record_id: '2', subject: 'Delete User 2' },
        detail: { message: expect.any(String), call: 'DELETE /api/:resource/:id' },
      },
    ],
    [
      'somebody who tries ids',
      () => manager('GET', '/shots/99999', undefined, headers),
      'refused',
      {
        ...{ resource: 'shots', record_id: '99999', subject: 'Read Shot 99999' },
        detail: { message: 'Not found.', call: 'GET /api/:resource/:id' },
      },
    ],
    [
      'a large download',
      () => owner('GET', '/screenings-export?format=csv&columns=name', undefined, headers),
      'exported',
      { resource: 'screenings', detail: { rows: expect.any(Number), format: 'csv', columns: ['name'] } },
    ],
    [
      'a share link',
      () => owner('POST', '/screenings/1/share', {}, headers),
      'share_link_created',
      { resource: 'screenings', record_id: '1' },
    ],
    [
      'no share link',
      () => owner('DELETE', '/screenings/1/share', undefined, headers),
      'share_link_removed',
      { record_id: '1' },
    ],
    [
      'a sign-out',
      async () => {
        await (
          await demo.signIn(accounts.qa)
        )('POST', '/logout', undefined, headers);
      },
      'sign_out',
      { user: { id: 5, name: expect.any(String) } },
    ],
    [
      'the end of another sign-in',
      async () => {
        const qa = await demo.signIn(accounts.qa);
        const { body } = await qa<{ data: { id: number; current: boolean }[] }>('GET', '/sign-ins');
        await qa('DELETE', `/sign-ins/${body.data.find(({ current }) => !current)!.id}`);
      },
      'sign_in_ended',
      { user: { id: 5, name: expect.any(String) } },
    ],
    [
      'an invitation',
      () => made(owner, '/users', { first_name: 'Ivy', last_name: 'Invited', email: 'ivy@demo.test', role_id: 5 }),
      'user_invited',
      { user: { id: 2, name: expect.any(String) }, resource: 'users', subject: 'ivy@demo.test' },
    ],
    [
      'another user',
      async () => {
        other = await made(owner, '/users', { ...person, last_name: 'Other', email: 'other@demo.test' });
      },
      'user_created',
      { subject: 'Log Other' },
    ],
    [
      'a password in the profile',
      async () =>
        (await demo.signIn('other@demo.test'))(
          'PUT',
          `/profile/${other}`,
          { change_password: true, current_password: password, ...fresh },
          headers,
        ),
      'password_changed',
      { user: { name: 'Log Other' }, detail: { by: 'profile' } },
    ],
    [
      'a link to reset it',
      () => owner('POST', '/send-reset-link', { user_id: other }, headers),
      'password_reset_requested',
      { user: { id: 2, name: expect.any(String) }, resource: 'users' },
    ],
    [
      'a password that was reset',
      async () =>
        demo.call('POST', '/reset-password', { verification_code: await codeFor(other, 'reset'), ...fresh }, headers),
      'password_changed',
      { user: { name: 'Log Other' }, detail: { by: 'reset' } },
    ],
    [
      'a confirmed address',
      async () =>
        demo.call('POST', '/confirm-address', { verification_code: await codeFor(other, 'confirm') }, headers),
      'address_confirmed',
      { user: { name: 'Log Other' } },
    ],
    [
      'a new address',
      async () => {
        await owner('PUT', `/users/${other}`, { email: 'moved@demo.test' });
        return demo.call('POST', '/confirm-address', { verification_code: await codeFor(other, 'address') }, headers);
      },
      'address_changed',
      { detail: { from: 'other@demo.test', to: 'moved@demo.test' } },
    ],
    [
      'a mail template',
      () => made(owner, '/email-templates', { identifier: 'password_changed', subject: 'Ours', content: 'Changed.' }),
      'settings_changed',
      { resource: 'email-templates' },
    ],
    [
      'a notification template',
      () => made(owner, '/notification-templates', { identifier: 'task_assigned', subject: 'Ours', content: 'x' }),
      'settings_changed',
      { resource: 'notification-templates' },
    ],
    [
      'a setting',
      () => owner('PUT', '/sites/1', { name: 'Demo Testing Limited' }, headers),
      'settings_changed',
      { resource: 'sites', site_id: 1, detail: { changed: ['Name'] } },
    ],
    [
      'viewing as somebody',
      () => owner('GET', '/view-as', undefined, { ...headers, 'x-view-as': 'user 4' }),
      'view_as_started',
      { record_id: '4', user: { id: 2, name: expect.any(String) } },
    ],
    [
      'no longer',
      () => owner('DELETE', '/view-as?as=user 4', undefined, headers),
      'view_as_stopped',
      { record_id: '4' },
    ],
  ];

  it.each(cases)('%s', async (_name, run, event, line) => {
    const done = await run();
    const [latest] = await log(owner, `&event=${event}`);
    expect(latest, `${event} ${JSON.stringify(done)}`).toMatchObject({
      event,
      address: '127.0.0.1',
      created_at: expect.any(String),
      ...line,
    });
    expect(latest!.request_id, event).toEqual(expect.any(String));
    expect(JSON.stringify(latest)).not.toContain(password);
  });

  it('a forgotten password, only for the administrator, for any address', async () => {
    for (const email of [accounts.developer, 'nobody@demo.test']) {
      expect((await demo.call('POST', '/forgot-password', { email }, headers)).status).toBe(200);
      const [line] = await log(admin, '&event=password_reset_requested');
      expect(line).toMatchObject({ user: null, site_id: null, subject: email, agent: 'scenario' });
    }
  });

  it('a registered company, for the administrator and its own owner', async () => {
    const founder = { first_name: 'Fay', last_name: 'Founder', site_name: 'Founders Ltd', email: 'fay@founders.test' };
    const { body } = await demo.call<{ token: string }>(
      'POST',
      '/register',
      { ...founder, password: fresh.new_password },
      headers,
    );
    const [line] = await log(admin, '&event=registered');
    expect(line).toMatchObject({
      subject: 'Founders Ltd',
      address: '127.0.0.1',
      agent: 'scenario',
      user: { name: 'Fay Founder' },
    });
    const asFounder: Client = (method, path) =>
      demo.call(method, path, undefined, { authorization: `Bearer ${body.token}` });
    expect((await log(asFounder)).map(({ event }) => event)).toEqual(['sign_in', 'registered']);
  });

  it('definitions, only for the administrator', async () => {
    const definition = { name: 'probes', labels: { one: 'Probe', many: 'Probes' }, fields: { name: { type: 'text' } } };
    expect((await admin('POST', '/modules', { definition })).status).toBe(201);
    const wider = { ...definition, fields: { ...definition.fields, size: { type: 'number' } } };
    expect((await admin('PUT', '/modules/probes', { definition: wider, version: 1 })).status).toBe(200);
    expect((await admin('POST', '/modules/probes/restore', { version: 1 })).status).toBe(200);
    expect((await admin('DELETE', '/modules/probes')).status).toBe(200);
    expect((await admin('DELETE', '/modules/probes?purge=1&confirm=probes')).status).toBe(200);
    const events = (await log(admin, '&subject=probes')).map(({ event }) => event);
    expect(events).toEqual([
      'definition_purged',
      'definition_retired',
      'definition_restored',
      'definition_published',
      'definition_published',
    ]);
    expect(await log(owner, '&subject=probes')).toEqual([]);
  });
});

describe('access to the log', () => {
  it('owners can read the entries of their company, administrators all, and nobody else any', async () => {
    const [all, own, theirs] = [await log(admin), await log(owner), await log(harbour)];
    expect(new Set(own.map(({ site_id }) => site_id))).toEqual(new Set([1]));
    expect(new Set(theirs.map(({ site_id }) => site_id))).toEqual(new Set([2]));
    expect(all.some(({ site_id }) => site_id === null)).toBe(true);
    for (const email of [accounts.manager, accounts.developer, accounts.qa, accounts.external]) {
      const call = await demo.signIn(email);
      for (const path of ['/security-log', `/security-log/${own[0]!.id}`, '/security-log-export'])
        expect((await call('GET', path)).status, `${email} ${path}`).toBe(403);
    }
  });

  it('it cannot be granted', async () => {
    const offered = await admin<{ data: { module: string }[] }>('GET', '/module-permissions');
    expect(offered.body.data.map(({ module }) => module)).not.toContain('security-log');
    const granted = await admin('POST', '/roles', {
      role_name: 'Spy',
      level: 3,
      site_id: 1,
      modulePermission: ['security-log.list'],
    });
    expect(granted.status).toBe(422);
    const permissions = await admin<{ data: { role_id: number; modulePermission: string[] }[] }>('GET', '/permissions');
    const held = permissions.body.data.find(({ role_id }) => role_id === 2)!.modulePermission;
    expect(held.filter((id) => id.startsWith('security-log'))).toEqual([]);
    // What owners hold by their level stays when their role is saved again.
    expect((await admin('PUT', '/permissions/2', { modulePermission: held })).status).toBe(200);
    expect((await (await demo.signIn(accounts.owner))('GET', '/security-log')).status).toBe(200);
  });

  it.each([
    ['POST', '', { subject: 'x' }],
    ['PUT', '/first', { subject: 'x' }],
    ['DELETE', '/first', undefined],
    // What cannot be written is ignored, as everywhere.
  ])('nobody writes it: %s', async (method, path, body) => {
    const before = await log(admin, '&sort_by=id');
    for (const call of [admin, owner])
      expect((await call(method, `/security-log${path.replace('first', String(before[0]!.id))}`, body)).status).toBe(
        method === 'PUT' && call === admin ? 200 : 403,
      );
    expect((await log(admin, '&sort_by=id'))[0]).toEqual(before[0]);
  });

  it('it can be filtered, searched and exported', async () => {
    const from = new Date(Date.now() - 3_600_000).toISOString();
    for (const query of [
      'event=user_created',
      'created_by=2',
      `created_at_from=${from}`,
      'address=127.0.0.1',
      'q=Log Person',
    ]) {
      expect((await log(owner, `&${query}`)).length, query).toBeGreaterThan(0);
    }
    expect(await log(owner, '&address=192.0.2.1')).toEqual([]);
    const file = await owner<string>('GET', '/security-log-export?format=csv&event=user_created');
    expect(file.status).toBe(200);
    expect(file.body).toContain('User created');
    expect(file.body).toContain('Log Person');
  });
});

it('only old entries are deleted', async () => {
  const { kysely } = demo.program.database;
  await sql`insert into assay.security_log (at, event) select now() - days * interval '1 day', 'sign_out'
    from unnest(array[402, 401, 399]) days`.execute(kysely);
  expect(await deleteOldLogEntries(demo.program)).toBe(2);
  const { rows } = await sql`select from assay.security_log where at < now() - interval '398 days'`.execute(kysely);
  expect(rows).toHaveLength(1);
});

it('its screen has a label for every event', () => {
  const definition = fixtureDefinitions().find(({ name }) => name === 'security-log')!;
  const options = definition.fields.event!.options!.map(({ value, label }) => [value, label]);
  expect(Object.fromEntries(options)).toEqual(securityEvents);
});
