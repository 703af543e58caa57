// @module-tag slow
import { afterAll, beforeAll, describe, expect, inject, test, vi } from 'vitest';
import { startAutomation } from '../../../src/server/automation/automation';
import { lastDue, startDueAutomations } from '../../../src/server/automation/schedules';
import { createTestDatabase, type TestDatabase } from '../../support/database';
import { accounts, startFixtureProgram, type Client, type DemoProgram } from '../../support/program';
import { studioOf } from '../modules/studio';

type Row = Record<string, unknown> & { id: number };

let database: TestDatabase;
let servers: DemoProgram[];
let owner: Client;
let ownerId: number;

const query = async (text: string) => (await database.database.pool.query(text)).rows as Row[];

beforeAll(async () => {
  database = await createTestDatabase(inject('fixture'));
  servers = [await startFixtureProgram({ database }), await startFixtureProgram({ database })];
  owner = await servers[0]!.signIn(accounts.owner);
  [{ id: ownerId }] = (await query(`select id from users where email = '${accounts.owner}'`)) as [Row];
  await studioOf(await servers[0]!.signIn(accounts.admin)).make(
    'chores',
    {
      name: { required: true },
      due_on: { type: 'date' },
      done_on: { type: 'date' },
      owner_id: { type: 'relation', to: 'users' },
      note: {},
    },
    {
      automations: [
        {
          name: 'morning',
          schedule: 'day',
          time: '02:30',
          timeZone: 'Europe/Berlin',
          runAs: 'owner_id',
          where: { due_on: '$today' },
          steps: [{ notify: 'owner_id', text: 'Today: {name}' }],
        },
        {
          name: 'stamp',
          schedule: 'day',
          time: '05:00',
          runAs: 'owner_id',
          where: { due_on: '$today', name: 'Stamped' },
          steps: [{ set: { done_on: '$today' } }],
        },
        {
          name: 'robot',
          schedule: 'day',
          time: '06:00',
          runAs: 'robot@demo.test',
          steps: [{ set: { note: 'seen' } }],
        },
        {
          name: 'rest',
          idleTime: '7d',
          runAs: 'owner_id',
          where: { name: 'Idle' },
          steps: [{ notify: 'owner_id', text: 'Still there: {name}' }],
        },
      ],
    },
  );
  await vi.waitFor(() => expect(servers[1]!.program.definitions.registry().get('chores')).toBeDefined());
});
afterAll(async () => {
  await Promise.all((servers ?? []).map((one) => one.close()));
  await database?.close();
});

/** Both servers look at the same moment, several times. */
async function look(at: string): Promise<void> {
  const now = new Date(at);
  await Promise.all([0, 1, 0, 1].map((index) => startDueAutomations(servers[index]!.program, now)));
}
const made = async (values: object) => (await owner<Row>('POST', '/chores', { owner_id: ownerId, ...values })).body.id;
const runsOf = (id: number) =>
  query(
    `select automation, trigger, state, user_id from assay.automation_runs where resource = 'chores' and record_id = ${id} order by id`,
  );

describe('the last time of a schedule', () => {
  const berlin = { schedule: 'day' as const, time: '02:30', timeZone: 'Europe/Berlin' };
  const weekly = { ...berlin, schedule: 'week' as const, weekdays: ['monday', 'thursday'] as const };
  test.each<[string, Parameters<typeof lastDue>[0], string, string]>([
    ['on the day', berlin, '2030-01-15T12:00:00Z', '2030-01-15T01:30:00.000Z'],
    ['the day before', berlin, '2030-01-15T01:29:00Z', '2030-01-14T01:30:00.000Z'],
    ['an hour later on a day without it', berlin, '2030-03-31T12:00:00Z', '2030-03-31T01:30:00.000Z'],
    ['the first time on a day with two', berlin, '2030-10-27T00:45:00Z', '2030-10-27T00:30:00.000Z'],
    ['still the first time after the second', berlin, '2030-10-27T01:45:00Z', '2030-10-27T00:30:00.000Z'],
    ['of a week', weekly, '2030-01-17T12:00:00Z', '2030-01-17T01:30:00.000Z'],
    ['of a week, before its time', weekly, '2030-01-17T01:29:00Z', '2030-01-14T01:30:00.000Z'],
    ['of a week, days later', weekly, '2030-01-20T12:00:00Z', '2030-01-17T01:30:00.000Z'],
    [
      'of a month',
      { ...berlin, schedule: 'month' as const, day: 15 },
      '2030-02-14T12:00:00Z',
      '2030-01-15T01:30:00.000Z',
    ],
    [
      'of a short month',
      { ...berlin, schedule: 'month' as const, day: 30 },
      '2030-03-01T12:00:00Z',
      '2030-02-28T01:30:00.000Z',
    ],
    [
      'the last day',
      { ...berlin, schedule: 'month' as const, day: 31 },
      '2030-05-30T12:00:00Z',
      '2030-04-30T00:30:00.000Z',
    ],
    [
      'of an hour',
      { ...berlin, schedule: 'hour' as const, time: '00:15' },
      '2030-01-15T12:14:59Z',
      '2030-01-15T11:15:00.000Z',
    ],
    [
      'of the hour that comes twice',
      { ...berlin, schedule: 'hour' as const, time: '00:15' },
      '2030-10-27T01:20:00Z',
      '2030-10-27T01:15:00.000Z',
    ],
    [
      'of a zone with half an hour',
      { schedule: 'hour' as const, time: '00:00', timeZone: 'Asia/Kolkata' },
      '2030-01-15T12:10:00Z',
      '2030-01-15T11:30:00.000Z',
    ],
  ])('%s', (_, schedule, now, due) => expect(lastDue(schedule, new Date(now)).toISOString()).toBe(due));
});

test('each period is done once by two servers, across changes of the clock, for the records that match', async () => {
  await look('2030-03-30T12:00:00Z');
  const days = ['2030-03-30', '2030-03-31', '2030-04-01'];
  const ids = await Promise.all(days.map((due_on) => made({ name: due_on, due_on })));
  expect((await Promise.all(ids.map(runsOf))).flat()).toEqual([]);
  for (const at of ['2030-03-31T01:29:00Z', '2030-03-31T01:30:00Z', '2030-03-31T23:00:00Z', '2030-04-01T00:29:00Z'])
    await look(at);
  expect(await runsOf(ids[0]!)).toEqual([]);
  expect(await runsOf(ids[1]!)).toHaveLength(1);
  expect(await runsOf(ids[2]!)).toEqual([]);
  await look('2030-04-01T00:30:00Z');
  expect(await runsOf(ids[2]!)).toHaveLength(1);
  await vi.waitFor(async () =>
    expect(await runsOf(ids[1]!)).toEqual([
      { automation: 'morning', trigger: 'schedule', state: 'done', user_id: ownerId },
    ]),
  );
  const told = await owner<{ data: { title: string }[] }>('GET', '/notifications');
  expect(told.body.data.filter(({ title }) => title === 'Today: 2030-03-31')).toHaveLength(1);
});

test('a run that is made up for means the day when it was due, and the next day is told once', async () => {
  const stamped = async (id: number) => (await runsOf(id)).filter(({ automation }) => automation === 'stamp').length;
  await look('2031-05-01T06:00:00Z');
  const [missed, next] = [
    await made({ name: 'Stamped', due_on: '2031-05-02' }),
    await made({ name: 'Stamped', due_on: '2031-05-03' }),
  ];
  // Nobody looks from the second at 5:00 on until the third at 4:00.
  await look('2031-05-03T04:00:00Z');
  expect([await stamped(missed), await stamped(next)]).toEqual([1, 0]);
  await look('2031-05-03T05:00:00Z');
  await look('2031-05-03T23:00:00Z');
  expect([await stamped(missed), await stamped(next)]).toEqual([1, 1]);
  await vi.waitFor(async () =>
    expect(
      (await query(`select done_on::text from chores where name = 'Stamped' order by id`)).map((row) => row.done_on),
    ).toEqual(['2031-05-02', '2031-05-03']),
  );
});

test('a schedule whose user is deleted, or has lost the right, is listed as one refused run a period', async () => {
  const refused = async () =>
    query(
      `select site_id, record_id, state, message from assay.automation_runs where automation = 'robot' order by id`,
    );
  const before = (await refused()).length;
  await look('2032-01-01T12:00:00Z');
  await look('2032-01-01T13:00:00Z');
  const now = await refused();
  expect(now.slice(before)).toEqual([
    {
      site_id: null,
      record_id: null,
      state: 'refused',
      message: 'No active user has the email address robot@demo.test, with whose permissions this would run.',
    },
  ]);
  const person = { first_name: 'Ro', last_name: 'Bot', email: 'robot@demo.test', role_id: 6, status_id: 1 };
  expect((await owner('POST', '/users', person)).status).toBe(201);
  await query(`update users set status_id = 1 where email = 'robot@demo.test'`);
  await look('2032-01-02T12:00:00Z');
  await look('2032-01-02T13:00:00Z');
  expect((await refused()).slice(before + 1)).toEqual([
    { site_id: 1, record_id: null, state: 'refused', message: expect.stringContaining('permission to list') as string },
  ]);
  const listed = await owner<{ data: Row[] } | Row[]>('GET', '/automation-runs?filter={"automation":"robot"}');
  const rows = Array.isArray(listed.body) ? listed.body : listed.body.data;
  expect(rows).toMatchObject([{ state: 'refused', record_id: null }]);
});

test('a record that does not change is met once after its time, and again after a change', async () => {
  const id = await made({ name: 'Idle' });
  const day = 24 * 60 * 60_000;
  const at = (days: number) => new Date(Date.now() + days * day).toISOString();
  await query(`update assay.automation_schedules set seen_at = now() - interval '1 hour' where automation = 'rest'`);
  await look(at(6.9));
  expect(await runsOf(id)).toEqual([]);
  await look(at(7.1));
  await look(at(8));
  expect(await runsOf(id)).toMatchObject([{ automation: 'rest', trigger: 'idle' }]);
});

test('a waiting run without a queue message is found', async () => {
  const id = await made({ name: 'Lost' });
  await query(`insert into assay.automation_runs (resource, automation, label, record_id, site_id, trigger, reason, depth, as_whom, state)
    values ('chores', 'morning', 'Morning', ${id}, 1, 'schedule', 'Because.', 1, 'owner_id', 'waiting')`);
  const stop = startAutomation(servers[1]!.program);
  await vi.waitFor(async () => expect(await runsOf(id)).toMatchObject([{ state: 'done' }]));
  await stop();
});
