// @module-tag slow
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { Definition } from '../../src/engine/definitions/definition';
import { password } from '../support/accounts';
import { accounts, startFixtureProgram, type Client, type DemoProgram } from '../support/program';
import { apiRoutes } from '../support/routes';
import { studioOf } from './modules/studio';

// External users know of no role but their own: no answer of any call names another, by its name or its key.

type Row = Record<string, unknown> & { id: number };
type Found = { data: Row[] };

let program: DemoProgram;
let definitions: Definition[];
const outsiders: { name: string; call: Client; own: string }[] = [];
let parcel: number;

beforeAll(async () => {
  program = await startFixtureProgram();
  const { pool } = program.program.database;
  await pool.query(`update roles set role_name = 'Zqshipped' || id || 'zz'`);
  const [admin, owner, harbour] = [
    await program.signIn(accounts.admin),
    await program.signIn(accounts.owner),
    await program.signIn(accounts.harbour),
  ];
  const made = async (call: Client, path: string, body: object) => {
    const answer = await call<{ data: Row } & Row>('POST', path, body);
    expect(answer.status, JSON.stringify(answer.body)).toBe(201);
    return answer.body.data ?? answer.body;
  };
  const { body: granted } = await owner<{ data: { role_id: number; modulePermission: string[] }[] }>(
    'GET',
    '/permissions',
  );
  const ofExternal = granted.data.find(({ role_id }) => role_id === 6)!.modulePermission;
  const roles: Record<string, number> = {};
  for (const [by, name, level] of [
    [owner, 'Zqpacker', 4],
    [owner, 'Zqguest', 6],
    [owner, 'Zqvisitor', 6],
    [harbour, 'Zqharbour', 3],
    [harbour, 'Zqdocker', 6],
  ] as const)
    roles[name] = (
      await made(by, '/roles', { role_name: name, level, modulePermission: level === 6 ? ofExternal : [] })
    ).id;
  await studioOf(admin).make(
    'parcels',
    {
      name: { required: true },
      note: { readOnly: { '$actor.role': { $in: ['zqpacker', 'zqvisitor'] } } },
      state: {
        type: 'select',
        initial: 'new',
        options: [
          { value: 'new', label: 'New' },
          { value: 'sent', label: 'Sent' },
          { value: 'lost', label: 'Lost' },
        ],
        transitions: [
          { from: 'new', to: 'sent', roles: ['zqpacker'], levels: [2, 3] },
          { from: 'new', to: 'lost', levels: [6] },
        ],
      },
    },
    {
      scope: 'company',
      comments: true,
      grants: { '2': 'all', '3': 'all', '4': 'all', '6': 'all' },
      rules: [{ roles: ['zqpacker', 'zqguest'], action: 'delete', where: { state: 'new' }, reason: 'only new ones' }],
      requests: { weigh: { label: 'Weigh', sets: { note: 'weighed' }, roles: ['zqpacker'] } },
      list: { actions: ['edit', { name: 'weigh', roles: ['zqpacker'] }] },
      automations: [
        {
          name: 'tell',
          events: ['create'],
          steps: [{ notify: { roles: ['zqvisitor', 'zqguest'] }, text: 'New: {name}' }],
        },
      ],
    },
  );
  definitions = [...program.program.definitions.registry().definitions.values()];
  parcel = (await made(owner, '/parcels', { name: 'A parcel' })).id;
  const share = (values: object) =>
    made(owner, '/views', { name: `Shared ${Math.random()}`, module: 'parcels', settings: {}, ...values });
  await share({ audience: 'everyone' });
  for (const name of ['Zqguest', 'Zqvisitor', 'Zqpacker']) await share({ audience: 'role', role_id: roles[name] });

  const join = async (role: number, name: string) => {
    const email = `${name.toLowerCase()}@demo.test`;
    await made(owner, '/users', {
      first_name: name,
      last_name: 'Person',
      email,
      password,
      role_id: role,
      status_id: 1,
    });
    return program.signIn(email);
  };
  outsiders.push({ name: 'external', call: await program.signIn(accounts.external), own: 'zqshipped6zz' });
  outsiders.push({ name: 'guest', call: await join(roles.Zqguest!, 'Gus'), own: 'zqguest' });
  await join(roles.Zqpacker!, 'Pat');
  await owner('POST', `/parcels/${parcel}/comments`, { text: 'By the owner' });
});
afterAll(() => program?.close());

/** The roles that an answer names besides one's own. */
const othersIn = (body: unknown, own: string) =>
  [
    ...new Set(
      JSON.stringify(body)
        .toLowerCase()
        .match(/zq(shipped\d+zz|packer|guest|visitor|harbour|docker)/g),
    ),
  ].filter((name) => name !== own);

/** The paths of a route: for every resource and for fields that refer to others. */
function pathsOf(path: string): string[] {
  const resources = definitions.map(({ name }) => name);
  if (path.includes(':type|:resource'))
    return resources.flatMap((name) => pathsOf(path.replace(':type|:resource', name)));
  const definition = definitions.find(({ name }) => path.startsWith(`/${name}/`));
  const relations = Object.values(definition?.fields ?? {}).flatMap(({ to, name }) => (to ? [name] : []));
  if (path.includes(':field'))
    return (definition ? relations : ['role_ids', 'user_ids']).map((name) => path.replace(':field', name));
  return [path.replace(':type', 'shots').replace(/:\w+/g, '1')];
}

test.each([0, 1])('no GET call tells them of another (%i)', async (index) => {
  const { call, own, name } = outsiders[index]!;
  const leaks: string[] = [];
  const check = async (path: string) => {
    const answer = await call('GET', path);
    expect(answer.status, path).toBeLessThan(500);
    const others = othersIn(answer.body, own);
    if (others.length > 0) leaks.push(`${path}: ${others.join()}`);
    return answer;
  };
  // Every visitor of a demo reads its accounts, and the documentation of calls is a program of others.
  const gets = apiRoutes(program.app)
    .filter((route) => route.startsWith('GET /') && !/ \/(demo-accounts|docs)/.test(route))
    .map((route) => route.slice('GET '.length));
  expect(gets.length).toBeGreaterThan(50);
  for (const path of gets) for (const one of pathsOf(path)) await check(one);
  for (const definition of definitions) {
    const listed = await call<Found>('GET', `/${definition.name}?range=[0,9]`);
    const rows = Array.isArray(listed.body) ? (listed.body as unknown as Row[]) : (listed.body.data ?? []);
    for (const { id } of rows.slice(0, 3))
      for (const part of ['', '/history', '/comments', '/mentionable', '/watch'])
        await check(`/${definition.name}/${id}${part}`);
    for (const { to, name: field } of Object.values(definition.fields))
      if (to === 'roles' || to === 'users')
        for (const query of [
          `aggregate?group=${field}`,
          `choices?field=${field}`,
          `choices/${field}?q=zq`,
          `?sort_by=${field}`,
        ])
          await check(`/${definition.name}/${query}`.replace('/?', '?'));
    for (const action of ['list', 'view', 'create', 'edit', 'delete'])
      await check(`/permissions/why?module=${definition.name}&action=${action}`);
  }
  await check(`/permissions/why?module=parcels&action=edit&field=state&id=${parcel}`);
  for (const query of ['zqpacker', 'zqshipped', 'zqvisitor']) await check(`/search?q=${query}`);
  for (const filter of [
    'role_id=1',
    'filter={"role_id":[1,2,3]}',
    `where=${encodeURIComponent('{"role_id":{"$some":{"role_name":{"$contains":"zq"}}}}')}`,
  ])
    for (const list of ['views', 'pages', 'users']) await check(`/${list}?${filter}`);
  expect(leaks, name).toEqual([]);
});

test.each([0, 1])('no refusal tells them of another (%i)', async (index) => {
  const { call, own, name } = outsiders[index]!;
  const { call: outside } = outsiders[index]!;
  const attempts: [method: string, path: string, body?: object, message?: RegExp][] = [
    ['PUT', `/parcels/${parcel}`, { state: 'sent' }, /this is for other roles\.$/],
    ['PATCH', `/parcels-weigh/${parcel}`, {}, /it is for other roles\.$/],
    ['POST', '/views', { name: 'Mine', module: 'parcels', audience: 'role', role_id: 1, settings: {} }],
    ['POST', '/views', { name: 'Mine', module: 'parcels', audience: 'role', role_id: 7, settings: {} }],
    ['POST', '/roles', { role_name: 'Zqpacker', level: 6 }],
    ['POST', '/parcels/bulk', { update: [{ id: parcel, state: 'sent' }] }],
    ['POST', '/users', { first_name: 'A', last_name: 'B', email: 'a@demo.test', role_id: 1 }],
  ];
  for (const [method, path, body, message] of attempts) {
    const answer = await outside<{ message: string }>(method, path, body);
    expect(answer.status, path).toBeGreaterThanOrEqual(400);
    const sent: string[] =
      JSON.stringify(body)
        .toLowerCase()
        .match(/zq[a-z]+/g) ?? [];
    expect(
      othersIn(answer.body, own).filter((one) => !sent.includes(one)),
      `${name}: ${path}`,
    ).toEqual([]);
    if (message) expect(answer.body.message).toMatch(message);
  }
  const { body } = await call<{ data: { role: object; roles: object[] } }>('GET', '/me');
  expect(body.data).toMatchObject({ role: { role_name: expect.stringMatching(/^Zq/) }, roles: [] });
});
