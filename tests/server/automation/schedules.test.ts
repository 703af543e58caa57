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
      owner_id: { type: 'relation', to: 'users' },
      note: {},
    },
    {
      when: [
        {
          name: 'morning',
          every: 'day',
          at: '02:30',
          zone: 'Europe/Berlin',
          as: 'owner_id',
          where: { due_on: '$today' },
          do: [{ notify: 'owner_id', text: 'Today: {name}' }],
        },
        {
          name: 'rest',
          idle: '7d',
          as: 'owner_id',
          where: { name: 'Idle' },
          do: [{ notify: 'owner_id', text: 'Still there: {name}' }],
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
  const berlin = { every: 'day' as const, at: '02:30', zone: 'Europe/Berlin' };
  test.each([
    ['on the day', berlin, '2030-01-15T12:00:00Z', '2030-01-15T01:30:00.000Z'],
    ['the day before', berlin, '2030-01-15T01:29:00Z', '2030-01-14T01:30:00.000Z'],
    ['an hour later on a day without it', berlin, '2030-03-31T12:00:00Z', '2030-03-31T01:30:00.000Z'],
    ['the first time on a day with two', berlin, '2030-10-27T00:45:00Z', '2030-10-27T00:30:00.000Z'],
    ['still the first time after the second', berlin, '2030-10-27T01:45:00Z', '2030-10-27T00:30:00.000Z'],
    [
      'of an hour',
      { ...berlin, every: 'hour' as const, at: '00:15' },
      '2030-01-15T12:14:59Z',
      '2030-01-15T11:15:00.000Z',
    ],
    [
      'of the hour that comes twice',
      { ...berlin, every: 'hour' as const, at: '00:15' },
      '2030-10-27T01:20:00Z',
      '2030-10-27T01:15:00.000Z',
    ],
    [
      'of a zone with half an hour',
      { every: 'hour' as const, at: '00:00', zone: 'Asia/Kolkata' },
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

test('what waits without a message is found', async () => {
  const id = await made({ name: 'Lost' });
  await query(`insert into assay.automation_runs (resource, automation, label, record_id, site_id, trigger, reason, depth, as_whom, state)
    values ('chores', 'morning', 'Morning', ${id}, 1, 'schedule', 'Because.', 1, 'owner_id', 'waiting')`);
  const stop = startAutomation(servers[1]!.program);
  await vi.waitFor(async () => expect(await runsOf(id)).toMatchObject([{ state: 'done' }]));
  await stop();
});
