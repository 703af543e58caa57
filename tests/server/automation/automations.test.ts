// @module-tag slow
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';
import type { AutomationSource } from '../../../src/engine/language/source';
import { accounts, type Client } from '../../support/program';
import { startStudio, type StudioProgram } from '../modules/studio';

type Row = Record<string, unknown> & { id: number };
interface Run extends Row {
  readonly automation: string;
  readonly state: string;
  readonly reason: string;
  readonly message: string | null;
  readonly steps: { step: string; text: string }[] | null;
  readonly depth: number;
}

let { program, admin, owner, studio, query } = {} as StudioProgram;
let harbour: Client;
let ownerId: number;

const gigs: AutomationSource[] = [
  {
    name: 'sold_out',
    label: 'Tell the booker',
    events: ['create', 'update'],
    changedFields: ['state'],
    where: { state: 'sold_out', 'band_id.name': { $ne: 'Silent' } },
    steps: [
      { notify: 'booker_id', text: '{name} of {band_id.name} is {state}' },
      { set: { checked_on: '$today', checked_by: '$actor.id', note: 'Sold out: {name}' } },
      { create: 'calls', values: { name: 'Thank {name}', gig_id: '$record.id', due_on: '$today+7d' } },
    ],
  },
  {
    name: 'each_guest',
    transition: { field: 'state', to: 'cancelled' },
    steps: [
      {
        create: 'calls',
        forEach: 'guests',
        values: { name: 'Tell about {name}', gig_id: '$record.id', guest_id: '$each.id' },
      },
    ],
  },
  { name: 'gone', events: ['delete'], steps: [{ notify: 'booker_id', text: '{name} was deleted' }] },
];

beforeAll(async () => {
  ({ program, admin, owner, studio, query } = await startStudio());
  harbour = await program.signIn(accounts.harbour);
  [{ id: ownerId }] = (await query(`select id from users where email = '${accounts.owner}'`)) as [Row];
  await studio.make('bands', { name: { required: true } });
  const states = { open: 'Open', sold_out: 'Sold Out', cancelled: 'Cancelled' };
  await studio.make(
    'gigs',
    {
      name: { required: true },
      band_id: { type: 'relation', to: 'bands' },
      booker_id: { type: 'relation', to: 'users' },
      state: { type: 'select', options: Object.entries(states).map(([value, label]) => ({ value, label })) },
      note: {},
      checked_on: { type: 'date', readOnly: true },
      checked_by: { type: 'relation', to: 'users', readOnly: true },
    },
    { labels: { one: 'Gig', many: 'Gigs' } },
  );
  await studio.make('guests', {
    name: { required: true },
    gig_id: { type: 'relation', to: 'gigs', required: true, onDelete: 'cascade' },
  });
  await studio.make(
    'calls',
    {
      name: { required: true },
      gig_id: { type: 'relation', to: 'gigs', onDelete: 'clear' },
      guest_id: { type: 'relation', to: 'guests', onDelete: 'clear' },
      due_on: { type: 'date' },
    },
    { labels: { one: 'Call', many: 'Calls' } },
  );
  await studio.publish('gigs', (source) => {
    source.fields.guests = { type: 'inverse', source: 'guests.gig_id' };
    source.automations = gigs;
  });
});
afterAll(() => program?.close());

async function made(call: Client, path: string, values: object): Promise<Row> {
  const answer = await call<Row>('POST', `/${path}`, values);
  expect(answer.status, JSON.stringify(answer.body)).toBe(201);
  return answer.body;
}

const filter = (values: object) => encodeURIComponent(JSON.stringify(values));
const runsOf = async (resource: string, id: number, call = admin) =>
  (await call<Run[]>('GET', `/automation-runs?filter=${filter({ resource, record_id: id })}&sort=["id","ASC"]`)).body;

/** The runs of a record once all have ended. */
const endedRuns = (resource: string, id: number, count: number) =>
  vi.waitFor(async () => {
    const runs = await runsOf(resource, id);
    expect(runs.filter(({ state }) => state !== 'waiting')).toHaveLength(count);
    return runs;
  });
const notificationsOf = async (call: Client, text: string) =>
  (await call<{ data: { title: string; link: string | null }[] }>('GET', '/notifications')).body.data.filter(
    ({ title }) => title.includes(text),
  );

describe('an automation', () => {
  test('tells, sets and creates after a change, once, and says why', async () => {
    const band = await made(owner, 'bands', { name: 'Loud' });
    const gig = await made(owner, 'gigs', { name: 'Friday', state: 'open', band_id: band.id, booker_id: ownerId });
    expect(await runsOf('gigs', gig.id)).toEqual([]);
    await owner('PUT', `/gigs/${gig.id}`, { state: 'sold_out' });
    const [run] = await endedRuns('gigs', gig.id, 1);
    expect(run).toMatchObject({
      automation: 'sold_out',
      state: 'done',
      message: null,
      depth: 1,
      reason: 'Because State changed to Sold Out, and its condition was met.',
      steps: [
        { step: 'notify', text: 'Notified 1 user.' },
        { step: 'set', text: 'Set Checked On, Checked By, Note.' },
        { step: 'create', text: 'Created 1 call.' },
      ],
    });
    const today = new Date().toISOString().slice(0, 10);
    expect((await owner<Row>('GET', `/gigs/${gig.id}`)).body).toMatchObject({
      note: 'Sold out: Friday',
      checked_on: today,
      checked_by: ownerId,
    });
    expect(await notificationsOf(owner, 'Friday')).toEqual([
      expect.objectContaining({ title: 'Friday of Loud is Sold Out', link: `/gigs/${gig.id}` }),
    ]);
    expect(await query(`select name, created_by from calls where gig_id = ${gig.id}`)).toEqual([
      { name: 'Thank Friday', created_by: ownerId },
    ]);
    const history = await owner<{ event: string; new_values: Row }[]>('GET', `/gigs/${gig.id}/history`);
    expect(JSON.stringify(history.body)).toContain('Sold out: Friday');
    // What it has set itself is no change of the fields that it watches.
    expect(await runsOf('gigs', gig.id)).toHaveLength(1);
  });

  test('looks at new records, through relations, and in bulk', async () => {
    const [loud, silent] = [
      await made(owner, 'bands', { name: 'Louder' }),
      await made(owner, 'bands', { name: 'Silent' }),
    ];
    const { body, status } = await owner<{ data: { created: Row[] } }>('POST', '/gigs/bulk', {
      create: [
        { name: 'One', state: 'sold_out', band_id: loud.id },
        { name: 'Two', state: 'sold_out', band_id: silent.id },
        { name: 'Three', state: 'open', band_id: loud.id },
      ],
    });
    expect(status, JSON.stringify(body)).toBe(200);
    const [one, two, three] = body.data.created as [Row, Row, Row];
    expect(await endedRuns('gigs', one.id, 1)).toMatchObject([
      { state: 'done', reason: 'Because the gig was created, and its condition was met.' },
    ]);
    expect([...(await runsOf('gigs', two.id)), ...(await runsOf('gigs', three.id))]).toEqual([]);
    const changed = await owner('POST', '/gigs/bulk', { update: [{ id: three.id, state: 'sold_out' }] });
    expect(changed.status).toBe(200);
    expect(await endedRuns('gigs', three.id, 1)).toMatchObject([{ state: 'done' }]);
  });

  test('creates a record for each of several', async () => {
    const gig = await made(owner, 'gigs', { name: 'Saturday', state: 'open' });
    for (const name of ['Ada', 'Ben']) await made(owner, 'guests', { name, gig_id: gig.id });
    await owner('PUT', `/gigs/${gig.id}`, { state: 'cancelled' });
    expect(await endedRuns('gigs', gig.id, 1)).toMatchObject([
      { steps: [{ step: 'create', text: 'Created 2 calls.' }] },
    ]);
    const calls = await query(
      `select g.name from calls c join guests g on g.id = c.guest_id where c.gig_id = ${gig.id} order by g.name`,
    );
    expect(calls).toEqual([{ name: 'Ada' }, { name: 'Ben' }]);
  });

  test('knows a record that was deleted', async () => {
    const gig = await made(owner, 'gigs', { name: 'Sunday', state: 'open', booker_id: ownerId });
    expect((await owner('DELETE', `/gigs/${gig.id}`)).status).toBe(200);
    expect(await endedRuns('gigs', gig.id, 1)).toMatchObject([{ automation: 'gone', state: 'done' }]);
    expect(await notificationsOf(owner, 'Sunday was deleted')).toMatchObject([{ link: null }]);
  });

  test('of a change that was refused never runs', async () => {
    const before = await query('select count(*)::integer as n from assay.automation_runs');
    const refused = await owner('POST', '/gigs/bulk', {
      create: [{ name: 'Good', state: 'sold_out' }, { state: 'sold_out' }],
    });
    expect(refused.status).toBe(422);
    expect(await query('select count(*)::integer as n from assay.automation_runs')).toEqual(before);
  });
});

describe('permissions', () => {
  test('a run does nothing that its user may not do, and says so', async () => {
    const restricted = await program.restricted();
    await restricted.grant(['gigs.list', 'gigs.view', 'gigs.create', 'gigs.edit', 'bands.list', 'bands.view']);
    const band = await made(owner, 'bands', { name: 'Quiet' });
    const gig = await made(restricted.call, 'gigs', { name: 'Monday', state: 'sold_out', band_id: band.id });
    const [run] = await endedRuns('gigs', gig.id, 1);
    expect(run).toMatchObject({ state: 'refused', message: expect.stringContaining('permission') });
    // All of its steps or none.
    expect(run!.steps!.every(({ text }) => text.startsWith('Undone: '))).toBe(true);
    expect((await owner<Row>('GET', `/gigs/${gig.id}`)).body).toMatchObject({ note: null });
  });

  test('nobody is told of a record that they may not view', async () => {
    const [stranger] = (await query(`select id from users where email = '${accounts.harbour}'`)) as [Row];
    const band = await made(owner, 'bands', { name: 'Hidden' });
    const gig = await made(owner, 'gigs', { name: 'Secret Gig', state: 'open', band_id: band.id });
    await query(`update gigs set booker_id = ${stranger.id} where id = ${gig.id}`);
    await owner('PUT', `/gigs/${gig.id}`, { state: 'sold_out' });
    const [run] = await endedRuns('gigs', gig.id, 1);
    expect(run!.steps?.[0]?.text).toBe('Notified 0 users; 1 other may not view the record or cannot sign in.');
    expect(await notificationsOf(harbour, 'Secret Gig')).toEqual([]);
  });

  test('a company sees its own runs alone, and nobody writes them', async () => {
    expect((await owner<Run[]>('GET', '/automation-runs')).body.length).toBeGreaterThan(0);
    expect((await harbour<Run[]>('GET', '/automation-runs')).body).toEqual([]);
    const [run] = (await owner<Run[]>('GET', '/automation-runs')).body;
    for (const call of [owner, admin]) {
      expect((await call('POST', '/automation-runs', { label: 'Mine' })).status).toBeGreaterThanOrEqual(400);
      expect((await call('DELETE', `/automation-runs/${run!.id}`)).status).toBeGreaterThanOrEqual(400);
    }
  });

  test('a user of the record can lend them, and one who cannot sign in does not', async () => {
    await studio.make(
      'tickets',
      { name: {}, agent_id: { type: 'relation', to: 'users' }, note: {} },
      {
        automations: [
          { name: 'stamp', events: ['create'], runAs: 'agent_id', steps: [{ set: { note: 'By {updated_by}' } }] },
        ],
      },
    );
    const ticket = await made(admin, 'tickets', { name: 'A', agent_id: ownerId, site_id: 1 });
    await endedRuns('tickets', ticket.id, 1);
    expect(await query(`select updated_by from tickets where id = ${ticket.id}`)).toEqual([{ updated_by: ownerId }]);
    const orphan = await made(admin, 'tickets', { name: 'B', site_id: 1 });
    expect(await endedRuns('tickets', orphan.id, 1)).toMatchObject([
      { state: 'refused', message: expect.stringContaining('"agent_id" of the record is empty') },
    ]);
  });
});

test('automations that start each other are stopped, with words', async () => {
  const step = (name: string): AutomationSource => ({
    name,
    events: ['update'],
    changedFields: ['count'],
    steps: [{ create: 'echoes', values: { name: '{name}!', count: 1 } }],
  });
  await studio.make('echoes', { name: { required: true }, count: { type: 'number' } });
  await studio.publish('echoes', (source) => {
    source.automations = [{ ...step('echo'), events: ['create'] }];
  });
  await made(owner, 'echoes', { name: 'Hello', count: 1 });
  const stopped = await vi.waitFor(async () => {
    const found = (
      await admin<Run[]>('GET', `/automation-runs?filter=${filter({ resource: 'echoes' })}&sort=["id","ASC"]`)
    ).body;
    expect(found.map(({ state }) => state)).toEqual(['done', 'done', 'done', 'done', 'done', 'stopped']);
    return found.at(-1)!;
  });
  expect(stopped).toMatchObject({ depth: 6, message: expect.stringContaining('Does one of them start itself again?') });
  expect(await query('select count(*)::integer as n from echoes')).toEqual([{ n: 6 }]);
});

describe('a definition is refused, with the place and the remedy', () => {
  const cases: readonly [string, AutomationSource | AutomationSource[], string, RegExp][] = [
    [
      'no moment',
      { name: 'a', steps: [{ set: { note: '' } }] },
      '/automations/0',
      /add "events", "schedule", "dueTime" or "idleTime"/,
    ],
    [
      'two moments',
      { name: 'a', events: ['create'], schedule: 'day', steps: [{ set: { note: 'x' } }] },
      '/automations/0',
      /keep one/,
    ],
    [
      'an unknown field',
      { name: 'a', events: ['update'], changedFields: ['stat'], steps: [{ set: { note: 'x' } }] },
      '/automations/0/changedFields/0',
      /"state"/,
    ],
    [
      'an unknown option',
      { name: 'a', transition: { field: 'state', to: 'gone' }, steps: [{ set: { note: 'x' } }] },
      '/automations/0/transition/to',
      /is not an option/,
    ],
    [
      'a schedule of nobody',
      { name: 'a', schedule: 'day', steps: [{ set: { note: 'x' } }] },
      '/automations/0/runAs',
      /needs "runAs"/,
    ],
    [
      'a time of the record and a schedule',
      {
        name: 'a',
        schedule: 'day',
        dueTime: { field: 'checked_on' },
        runAs: 'booker_id',
        steps: [{ set: { note: 'x' } }],
      },
      '/automations/0',
      /has "schedule" and "dueTime": keep one/,
    ],
    [
      'a time of no date',
      { name: 'a', dueTime: { field: 'name' }, runAs: 'booker_id', steps: [{ set: { note: 'x' } }] },
      '/automations/0/dueTime/field',
      /must be of type date or datetime, but is of type text/,
    ],
    [
      'the time of day of what has one',
      {
        name: 'a',
        dueTime: { field: 'created_at', timeOfDay: '08:00' },
        runAs: 'booker_id',
        steps: [{ set: { note: 'x' } }],
      },
      '/automations/0/dueTime/timeOfDay',
      /has a time already: remove/,
    ],
    [
      'an offset without a direction',
      {
        name: 'a',
        dueTime: { field: 'created_at', offset: '1h' },
        runAs: 'booker_id',
        steps: [{ set: { note: 'x' } }],
      },
      '/automations/0/dueTime/offset',
      /does not have the required format/,
    ],
    [
      'a time of nobody',
      { name: 'a', dueTime: { field: 'created_at' }, steps: [{ set: { note: 'x' } }] },
      '/automations/0/runAs',
      /needs "runAs"/,
    ],
    [
      'a step of two kinds',
      { name: 'a', events: ['create'], steps: [{ set: { note: 'x' }, webhook: 'chat' }] },
      '/automations/0/steps/0',
      /several steps/,
    ],
    [
      'a path to no user',
      { name: 'a', events: ['create'], steps: [{ notify: 'band_id', text: 'x' }] },
      '/automations/0/steps/0/notify',
      /does not lead to any users/,
    ],
    [
      'a placeholder',
      { name: 'a', events: ['create'], steps: [{ notify: 'booker_id', text: '{nam}' }] },
      '/automations/0/steps/0/text',
      /"name"/,
    ],
    [
      'a value',
      { name: 'a', events: ['create'], steps: [{ set: { checked_on: 'soon' } }] },
      '/automations/0/steps/0/set/checked_on',
      /not a valid value/,
    ],
    [
      'a zone',
      { name: 'a', schedule: 'hour', timeZone: 'Mars', runAs: 'booker_id', steps: [{ set: { note: 'x' } }] },
      '/automations/0/timeZone',
      /Europe\/Berlin/,
    ],
    ['two of a name', [gigs[0]!, gigs[0]!], '/automations/1/name', /Another automation/],
  ];
  test.each(cases)('%s', async (_, when, place, message) => {
    const answer = await studio.tryPublish('gigs', (source) => {
      source.automations = [when].flat();
    });
    expect(answer.status).toBe(422);
    const said = JSON.stringify(answer.body);
    expect(said).toContain(place);
    expect(said).toMatch(message.source.includes('"') ? new RegExp(message.source.replaceAll('"', '\\\\"')) : message);
  });
});
