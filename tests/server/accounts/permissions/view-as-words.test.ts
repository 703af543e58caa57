// @module-tag slow
import { afterAll, beforeAll, expect, test } from 'vitest';
import { viewingMessage } from '../../../../src/engine/access/access-decision';
import { password } from '../../../support/accounts';
import type { Client } from '../../../support/program';
import { startStudio, type StudioProgram } from '../../modules/studio';

// Whoever views as another user gets the answers and the words that this user gets, apart from what would be saved.

type Row = Record<string, unknown> & { id: number };

let server: StudioProgram;
let owner: Client;
let admin: Client;
/** Users of the first company, each with a client of their own that signed in before the modules were made. */
const people: { name: string; id: number; role: number; call: Client }[] = [];
const ids: Record<string, number> = {};

async function addPerson(name: string, level: number): Promise<void> {
  const role = (await owner<{ data: Row }>('POST', '/roles', { role_name: name, level })).body.data.id;
  const email = `${name}@parcels.test`;
  const values = { first_name: name, last_name: 'P', email, password, role_id: role, status_id: 1, site_id: 1 };
  const { body } = await admin<{ data: Row }>('POST', '/users', values);
  people.push({ name, id: body.data.id, role, call: await server.program.signIn(email) });
}

beforeAll(async () => {
  server = await startStudio();
  ({ admin, owner } = server);
  for (const [name, level] of [
    ['packer', 4],
    ['courier', 4],
    ['clerk', 5],
    ['guest', 6],
  ] as const)
    await addPerson(name, level);
  await server.studio.make('stops', { name: { required: true, unique: true } }, { grants: { 2: 'all' } });
  for (const name of ['Depot', 'Road', 'Door']) ids[name] = (await owner<Row>('POST', '/stops', { name })).body.id;
  await server.studio.make(
    'parcels',
    {
      name: { required: true },
      worth: { type: 'number' },
      stop_id: {
        type: 'relation',
        to: 'stops',
        embed: 'stop',
        initial: 'Depot',
        transitions: [
          { from: 'Depot', to: 'Road', roles: ['courier'] },
          { from: 'Road', to: 'Door', levels: [4] },
        ],
      },
      helper_id: { type: 'relation', to: 'users', embed: 'helper' },
    },
    {
      labels: { one: 'Parcel', many: 'Parcels' },
      grants: { 2: 'all', 4: 'all', 5: ['list', 'view', 'create'] },
      rules: [
        {
          roles: ['packer'],
          action: ['list', 'view', 'edit'],
          where: { created_by: '$actor.id' },
          reason: 'of your own',
        },
        {
          roles: ['courier'],
          action: ['list', 'view'],
          where: { $or: [{ helper_id: '$actor.id' }, { 'stop_id.name': 'Road' }] },
          reason: 'on the road',
        },
        { roles: ['courier'], action: ['list', 'view'], exceptFields: ['worth'], reason: 'without their worth' },
        { levels: [5], action: 'view', exceptFields: ['worth'], reason: 'without their worth' },
      ],
      requests: { weigh: { label: 'Weigh', sets: { worth: 7 }, roles: ['packer'] } },
      list: { actions: ['edit', { name: 'weigh', roles: ['packer'] }] },
      import: {},
      export: true,
    },
  );
  for (const { call, name } of people.slice(0, 3)) await call('POST', '/parcels', { name: `of ${name}` });
  await owner('POST', '/parcels', { name: 'helped', helper_id: people[1]!.id });
  const road = (await owner<Row>('POST', '/parcels', { name: 'road' })).body.id;
  await people[1]!.call('PATCH', `/parcels-stop-id-road/${road}`);
});
afterAll(() => server?.program.close());

/** What is read, by everybody, of all records that there are. */
async function reads(): Promise<string[]> {
  const rows = await server.query('select id from parcels order by id');
  return [
    '/parcels',
    '/parcels?sort_by=-worth',
    `/parcels?where=${encodeURIComponent(JSON.stringify({ worth: { $gt: 1 } }))}`,
    '/parcels/aggregate?take=count',
    '/parcels/choices',
    '/parcels/choices/stop_id',
    '/parcels/choices/nothing',
    '/parcels/export?format=csv&columns=id,name',
    '/imports/parcels/download-sample',
    '/stops',
    '/nothing',
    ...rows.flatMap(({ id }) => [`/parcels/${id as number}`, `/parcels/${id as number}/history`]),
  ];
}

const viewing =
  (viewer: Client, as: string): Client =>
  (method, path, body) =>
    viewer(method, path, body, { 'x-view-as': as });
const wordsOf = (body: unknown) => (body as { message?: string }).message;

async function expectSame(): Promise<void> {
  const paths = await reads();
  for (const person of people)
    for (const viewer of [admin, owner]) {
      const as = viewing(viewer, `user ${person.id}`);
      for (const path of paths) {
        const [own, shown] = [await person.call('GET', path), await as('GET', path)];
        const place = `${path} of ${person.name}`;
        // What only those see who may change something stays away while nothing can be saved, and the answer says so.
        if (own.status === 200 && shown.status === 403) {
          expect(path).toContain('download-sample');
          expect(wordsOf(shown.body), place).toBe(viewingMessage);
        } else {
          expect([shown.status, wordsOf(shown.body)], place).toEqual([own.status, wordsOf(own.body)]);
          if (own.status === 200 && !path.includes('sample')) expect(shown.body, place).toEqual(own.body);
        }
      }
      const { body } = await as<{ data: { held: object } }>('GET', '/view-as');
      const me = await person.call<{ data: { permissions: object } }>('GET', '/me');
      expect(body.data.held).toEqual(me.body.data.permissions);
      for (const [method, path] of [
        ['POST', '/parcels'],
        ['PUT', '/parcels/1'],
        ['PATCH', '/parcels-weigh/1'],
        ['PATCH', '/parcels-stop-id-road/1'],
        ['DELETE', '/parcels/1'],
        ['POST', '/parcels/bulk'],
        ['POST', '/parcels/import?preview=1'],
      ] as const)
        expect(await as(method, path, {})).toMatchObject({
          status: 403,
          body: { message: `You are viewing as ${person.name} P, so nothing can be saved. Stop viewing first.` },
        });
    }
}

test('modules that are new since the sign-in', expectSame, 120_000);

test('grants that have just changed', async () => {
  const { body } = await admin<{ data: { role_id: number; modulePermission: string[] }[] }>('GET', '/permissions');
  const held = (role: number) => body.data.find(({ role_id }) => role_id === role)!.modulePermission;
  const [packer, , clerk, guest] = people.map(({ role }) => role);
  const put = async (role: number, modulePermission: string[]) =>
    expect(await admin('PUT', `/permissions/${role}`, { modulePermission })).toMatchObject({ status: 200 });
  await put(
    packer!,
    held(packer!).filter((one) => one !== 'parcels.edit' && one !== 'parcels.create'),
  );
  await put(clerk!, [...held(clerk!), 'parcels.edit']);
  await put(guest!, [...held(guest!), 'parcels.list']);
  await expectSame();
}, 120_000);
