// @module-tag slow
import pg from 'pg';
import { afterAll, beforeAll, expect, inject, test, vi } from 'vitest';
import { startDueAutomations } from '../../../src/server/automation/schedules';
import { createTestDatabase, type TestDatabase } from '../../support/database';
import { accounts, startFixtureProgram, type Client, type DemoProgram } from '../../support/program';
import { studioOf, type Studio } from '../modules/studio';

// Automations at a time that a field of each record says. The tests say what time it is; each has days of its own.

type Row = Record<string, unknown> & { id: number };

let database: TestDatabase;
let servers: DemoProgram[];
let studio: Studio;
let owner: Client;
let harbour: Client;
const ids: Record<string, number> = {};

const query = async (text: string) => (await database.database.pool.query(text)).rows as Row[];

beforeAll(async () => {
  database = await createTestDatabase(inject('fixture'));
  servers = [await startFixtureProgram({ database }), await startFixtureProgram({ database })];
  owner = await servers[0]!.signIn(accounts.owner);
  harbour = await servers[0]!.signIn(accounts.harbour);
  for (const name of ['owner', 'harbour'] as const)
    ids[name] = (await query(`select id from users where email = '${accounts[name]}'`))[0]!.id;
  await query(`update sites s set time_zone = case when u.email = '${accounts.owner}' then 'Europe/Berlin' else 'America/New_York' end
    from users u where u.site_id = s.id and u.email in ('${accounts.owner}', '${accounts.harbour}')`);
  studio = studioOf(await servers[0]!.signIn(accounts.admin));
  await studio.make(
    'tickets',
    {
      name: { required: true },
      due_at: { type: 'datetime' },
      due_on: { type: 'date' },
      told_at: { type: 'datetime' },
      told_on: { type: 'date' },
      owner_id: { type: 'relation', to: 'users', default: '$actor.id' },
    },
    {
      automations: [
        {
          name: 'hour_before',
          dueTime: { field: 'due_at', offset: '-1h' },
          runAs: 'owner_id',
          where: { name: { $ne: 'Closed' } },
          steps: [{ set: { told_at: '$now' } }, { notify: 'owner_id', text: 'Soon: {name}' }],
        },
        {
          name: 'days_before',
          dueTime: { field: 'due_on', offset: '-2d', timeOfDay: '08:30' },
          runAs: 'owner_id',
          steps: [{ set: { told_on: '$today' } }],
        },
        {
          name: 'that_day',
          dueTime: { field: 'due_on' },
          runAs: 'owner_id',
          where: { due_on: '$today', name: 'Today' },
          steps: [{ notify: 'owner_id', text: 'Today: {name}' }],
        },
        {
          name: 'robot',
          dueTime: { field: 'due_at', offset: '+1h' },
          runAs: 'nobody@demo.test',
          steps: [{ set: { name: 'Seen' } }],
        },
      ],
    },
  );
  await vi.waitFor(() => expect(servers[1]!.program.definitions.registry().get('tickets')).toBeDefined());
  await look('2029-12-31T00:00:00Z');
  await query(`update assay.automation_schedules set seen_at = '2029-12-31T00:00:00Z' where resource = 'tickets'`);
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
const make = async (values: object, call = owner) => {
  const { status, body } = await call<Row>('POST', '/tickets', values);
  expect({ status, body }).toMatchObject({ status: 201 });
  return body.id;
};
const change = async (id: number, values: object) =>
  expect(await owner('PUT', `/tickets/${id}`, values)).toMatchObject({ status: 200 });
const runsOf = async (id: number, automation: string) =>
  (
    await query(`select due_at from assay.automation_runs where resource = 'tickets' and record_id = ${id}
      and automation = '${automation}' order by id`)
  ).map((row) => new Date(row.due_at as string).toISOString());

test('a record is met once by two servers at the minute that its date-time says, across a change of clocks', async () => {
  const id = await make({ name: 'Boiler', due_at: '2030-03-31T01:30:00.000Z' });
  await look('2030-03-31T00:29:00Z');
  expect(await runsOf(id, 'hour_before')).toEqual([]);
  for (const at of ['2030-03-31T00:30:00Z', '2030-03-31T00:31:00Z', '2030-03-31T02:30:00Z']) await look(at);
  expect(await runsOf(id, 'hour_before')).toEqual(['2030-03-31T00:30:00.000Z']);
  await vi.waitFor(async () =>
    expect(
      await query(`select trigger, state, reason, user_id from assay.automation_runs
        where resource = 'tickets' and automation = 'hour_before' and record_id = ${id}`),
    ).toEqual([
      {
        trigger: 'dueTime',
        state: 'done',
        reason: 'Because it was time: 1 hour before Due At, and its condition was met.',
        user_id: ids.owner,
      },
    ]),
  );
  const told = await owner<{ data: { title: string }[] }>('GET', '/notifications');
  expect(told.body.data.filter(({ title }) => title === 'Soon: Boiler')).toHaveLength(1);
  expect(
    (await owner<{ data: Row[] } | Row[]>('GET', '/automation-runs?filter={"automation":"hour_before"}')).status,
  ).toBe(200);
});

test('another date is another time, an emptied one is none, and a former one does not come again', async () => {
  const [moved, emptied] = [
    await make({ name: 'Moved', due_at: '2030-05-02T10:00:00.000Z' }),
    await make({ name: 'Emptied', due_at: '2030-05-02T10:00:00.000Z' }),
  ];
  await look('2030-05-02T08:30:00Z');
  await change(emptied, { due_at: null });
  await look('2030-05-02T09:00:00Z');
  await change(moved, { due_at: '2030-05-02T12:00:00.000Z' });
  await look('2030-05-02T10:30:00Z');
  expect(await runsOf(moved, 'hour_before')).toEqual(['2030-05-02T09:00:00.000Z']);
  await look('2030-05-02T11:00:00Z');
  await change(moved, { due_at: '2030-05-02T10:00:00.000Z' });
  await look('2030-05-02T11:01:00Z');
  expect(await runsOf(moved, 'hour_before')).toEqual(['2030-05-02T09:00:00.000Z', '2030-05-02T11:00:00.000Z']);
  expect(await runsOf(emptied, 'hour_before')).toEqual([]);
});

test('the condition is looked at when the time comes, and not again later', async () => {
  const [closed, reopened] = [
    await make({ name: 'Open', due_at: '2030-05-05T10:00:00.000Z' }),
    await make({ name: 'Closed', due_at: '2030-05-05T10:00:00.000Z' }),
  ];
  await look('2030-05-05T08:59:00Z');
  await change(closed, { name: 'Closed' });
  await look('2030-05-05T09:00:00Z');
  await change(reopened, { name: 'Open' });
  await look('2030-05-05T09:30:00Z');
  expect(await runsOf(closed, 'hour_before')).toEqual([]);
  expect(await runsOf(reopened, 'hour_before')).toEqual([]);
});

test('times of the last 24 hours are made up for, with the time when they were due; older ones are not', async () => {
  const [missed, lost] = [
    await make({ name: 'Missed', due_at: '2030-06-02T11:00:00.000Z' }),
    await make({ name: 'Lost', due_at: '2030-06-02T08:00:00.000Z' }),
  ];
  await look('2030-06-01T12:00:00Z');
  await look('2030-06-03T09:00:00Z');
  expect(await runsOf(missed, 'hour_before')).toEqual(['2030-06-02T10:00:00.000Z']);
  expect(await runsOf(lost, 'hour_before')).toEqual([]);
  await vi.waitFor(async () =>
    expect((await owner<Row>('GET', `/tickets/${missed}`)).body.told_at).toBe('2030-06-02T10:00:00.000Z'),
  );
  const late = await make({ name: 'Late', due_at: '2030-06-03T09:30:00.000Z' });
  await look('2030-06-03T09:01:00Z');
  expect(await runsOf(late, 'hour_before')).toEqual(['2030-06-03T08:30:00.000Z']);
});

test('a date is due at a time of the day of its company, days before it on the calendar', async () => {
  const [berlin, newYork] = [
    await make({ name: 'Berlin', due_on: '2030-04-02' }),
    await make({ name: 'New York', due_on: '2030-04-02' }, harbour),
  ];
  // The clocks of Berlin change on 31 March.
  await look('2030-03-31T06:29:00Z');
  expect(await runsOf(berlin, 'days_before')).toEqual([]);
  await look('2030-03-31T06:30:00Z');
  expect(await runsOf(berlin, 'days_before')).toEqual(['2030-03-31T06:30:00.000Z']);
  expect(await runsOf(newYork, 'days_before')).toEqual([]);
  await look('2030-03-31T12:30:00Z');
  expect(await runsOf(newYork, 'days_before')).toEqual(['2030-03-31T12:30:00.000Z']);
  await vi.waitFor(async () =>
    expect(await query(`select told_on::text from tickets where id in (${berlin}, ${newYork})`)).toEqual([
      { told_on: '2030-03-31' },
      { told_on: '2030-03-31' },
    ]),
  );
});

test('today is the day of the company when it was due, also where the look comes a day later', async () => {
  const id = await make({ name: 'Today', due_on: '2030-07-01' });
  await look('2030-07-01T06:59:00Z');
  await look('2030-07-02T05:00:00Z');
  expect(await runsOf(id, 'that_day')).toEqual(['2030-07-01T07:00:00.000Z']);
});

test('an automation that is new or was changed does not look back', async () => {
  const id = await make({ name: 'Before', due_at: '2030-08-01T10:00:00.000Z' });
  await studio.publish('tickets', (source) => {
    source.automations!.push({
      name: 'new_one',
      dueTime: { field: 'due_at' },
      runAs: 'owner_id',
      steps: [{ notify: 'owner_id', text: 'Now: {name}' }],
    });
  });
  await vi.waitFor(() =>
    expect(
      servers[1]!.program.definitions
        .registry()
        .get('tickets')!
        .automations.map(({ name }) => name),
    ).toContain('new_one'),
  );
  await look('2030-08-01T10:05:00Z');
  await look('2030-08-01T10:06:00Z');
  expect(await runsOf(id, 'new_one')).toEqual([]);
  await change(id, { due_at: '2030-08-01T11:00:00.000Z' });
  await look('2030-08-01T11:00:00Z');
  expect(await runsOf(id, 'new_one')).toEqual(['2030-08-01T11:00:00.000Z']);
});

test('an automation whose user is deleted is listed as one refused run a day', async () => {
  const refused = () =>
    query(`select message from assay.automation_runs where automation = 'robot' and state = 'refused'
    and due_at between '2030-09-01' and '2030-09-02'`);
  await make({ name: 'A', due_at: '2030-09-01T10:00:00.000Z' });
  await make({ name: 'B', due_at: '2030-09-01T12:00:00.000Z' });
  await look('2030-09-01T11:00:00Z');
  await look('2030-09-01T13:00:00Z');
  expect(await refused()).toEqual([{ message: expect.stringContaining('nobody@demo.test') as string }]);
});

test('a look at 20,000 records is one statement for each automation, which reads them by the index of the field', async () => {
  await query(`insert into tickets (site_id, name, due_at, due_on)
    select 1, 'Many', timestamptz '2031-01-01' + n * interval '1 hour', date '2031-01-01' + n / 50 from generate_series(1, 20000) n`);
  await query('analyze tickets');
  // Records that are due now are taken first.
  await look('2031-06-01T12:00:00Z');
  const statements: { text: string; values: unknown[] }[] = [];
  const original = pg.Client.prototype.query;
  const spy = vi.spyOn(pg.Client.prototype, 'query').mockImplementation(function (this: pg.Client, ...args: unknown[]) {
    const [first, values] = args as [string | { text: string; values?: unknown[] }, unknown[]];
    const [text, given] = typeof first === 'string' ? [first, values] : [first.text, first.values];
    // The runs that the program makes by itself meanwhile are of another time.
    if (text.includes('automation_due_times') && JSON.stringify(given).includes('2031'))
      statements.push({ text, values: given ?? [] });
    return (original as (...all: unknown[]) => unknown).apply(this, args);
  } as never);
  await startDueAutomations(servers[0]!.program, new Date('2031-06-01T12:00:30Z'));
  spy.mockRestore();
  const automations = servers[0]!.program.definitions.registry().get('tickets')!.automations.length;
  expect(statements).toHaveLength(automations);
  for (const { text, values } of statements) {
    const { rows } = await database.database.pool.query<{ 'QUERY PLAN': string }>(`explain ${text}`, values);
    const plan = rows.map((row) => row['QUERY PLAN']).join('\n');
    expect(plan).toMatch(/Index (Only )?Scan (using|on) \S*ix__tickets__due_(at|on)_/);
    expect(plan).not.toContain('Seq Scan on tickets');
  }
});
