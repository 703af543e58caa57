// @module-tag slow
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { accounts, type Client } from '../../support/program';
import { startStudio, type StudioProgram } from '../modules/studio';

// Working hours and holidays of companies, and what is calculated with them.

type Row = Record<string, unknown> & { id: number };

let { program, owner, studio, query } = {} as StudioProgram;
let harbour: Client;
let officeId: number;

const week = (days: readonly string[], begins_at: string, ends_at: string) =>
  days.map((weekday) => ({ weekday, begins_at, ends_at }));
const untilThursday = ['monday', 'tuesday', 'wednesday', 'thursday'];

const calendar = async (values: object, call = owner) => {
  const answer = await call<Row>('POST', '/calendars', values);
  expect(answer).toMatchObject({ status: 201 });
  return answer.body.id;
};
const job = async (values: object, call = owner) => {
  const answer = await call<Row>('POST', '/jobs-done', { name: 'Job', ...values });
  expect(answer).toMatchObject({ status: 201 });
  return answer.body;
};

beforeAll(async () => {
  ({ program, owner, studio, query } = await startStudio());
  harbour = await program.signIn(accounts.harbour);
  await query(`update sites s set time_zone = case when u.email = '${accounts.owner}' then 'Europe/Berlin' else 'America/New_York' end
    from users u where u.site_id = s.id and u.email in ('${accounts.owner}', '${accounts.harbour}')`);
  await studio.make('jobs-done', {
    name: { required: true },
    reported_at: { type: 'datetime' },
    hours: { type: 'number' },
    from_on: { type: 'date' },
    until_on: { type: 'date' },
    due_at: { type: 'datetime', computed: { $addWorkingHours: ['$record.reported_at', '$record.hours'] } },
    support_due_at: {
      type: 'datetime',
      computed: { $addWorkingHours: ['$record.reported_at', '$record.hours', 'support'] },
    },
    night_due_at: {
      type: 'datetime',
      computed: { $addWorkingHours: ['$record.reported_at', '$record.hours', 'Night'] },
    },
    days: { type: 'number', integer: true, computed: { $workingDays: ['$record.from_on', '$record.until_on'] } },
    reminder_at: { type: 'datetime', computed: { $addHours: ['$record.due_at', -1] } },
  });
});
afterAll(() => program?.close());

describe('a company without a calendar works Monday to Friday from 9:00 to 17:00 of its zone', () => {
  test.each([
    ['over the weekend', '2026-01-09T15:00:00.000Z', 8, '2026-01-12T15:00:00.000Z'],
    ['up to the end of a day', '2026-01-12T08:00:00.000Z', 8, '2026-01-12T16:00:00.000Z'],
    ['to the next moment of work', '2026-01-10T12:00:00.000Z', 0, '2026-01-12T08:00:00.000Z'],
    ['backwards', '2026-01-12T08:30:00.000Z', -1, '2026-01-09T15:30:00.000Z'],
    ['with fractions', '2026-01-12T08:00:00.000Z', 0.25, '2026-01-12T08:15:00.000Z'],
    ['over a change of clocks', '2026-03-27T15:00:00.000Z', 2, '2026-03-30T08:00:00.000Z'],
    ['no further than three years', '2026-01-12T08:00:00.000Z', 1e9, null],
    ['without hours', '2026-01-12T08:00:00.000Z', null, null],
  ])('%s', async (_, reported_at, hours, due_at) => {
    expect(await job({ reported_at, hours })).toMatchObject({ due_at });
  });

  test.each([
    ['a week', '2026-01-05', '2026-01-11', 5],
    ['one day', '2026-01-05', '2026-01-05', 1],
    ['a weekend', '2026-01-10', '2026-01-11', 0],
    ['an end before the beginning', '2026-01-09', '2026-01-05', 0],
    ['all years', '0001-01-01', '9999-12-31', 2_608_615],
    ['no end', '2026-01-05', null, null],
  ])('days of %s', async (_, from_on, until_on, days) => {
    expect(await job({ from_on, until_on })).toMatchObject({ days });
  });
});

describe('with calendars', () => {
  beforeAll(async () => {
    officeId = await calendar({
      name: 'Office',
      is_default: true,
      hours: [
        ...week([...untilThursday, 'friday'], '08:00', '12:00'),
        ...week(untilThursday, '13:00', '17:00'),
        // Hours that overlap are worked once.
        ...week(['monday'], '11:00', '12:00'),
      ],
      holidays: [
        { day: '2026-05-01', name: 'Labour Day' },
        { day: '2026-05-01', name: 'Twice' },
        { day: '2026-05-02', name: 'A Saturday' },
      ],
    });
    await calendar({
      name: 'Support',
      time_zone: 'America/New_York',
      hours: week([...untilThursday, 'friday'], '09:00', '17:00'),
    });
    await calendar({
      name: 'Night',
      hours: [...week(['sunday'], '00:00', '06:00'), ...week(['tuesday'], '20:00', '00:00')],
    });
  });

  test.each([
    ['holidays are left out', '2026-04-30T14:00:00.000Z', 2, '2026-05-04T07:00:00.000Z'],
    ['so are breaks', '2026-05-04T09:30:00.000Z', 1, '2026-05-04T11:30:00.000Z'],
    ['backwards too', '2026-05-04T07:00:00.000Z', -2, '2026-04-30T14:00:00.000Z'],
  ])('%s by the default one', async (_, reported_at, hours, due_at) => {
    const reminder = new Date(Date.parse(due_at) - 3_600_000).toISOString();
    expect(await job({ reported_at, hours })).toMatchObject({ due_at, reminder_at: reminder });
  });

  test('a calendar is named without its case, and has its own zone', async () => {
    expect(await job({ reported_at: '2026-01-09T15:00:00.000Z', hours: 8 })).toMatchObject({
      support_due_at: '2026-01-12T15:00:00.000Z',
    });
  });

  test.each([
    ['hours of a night that lacks one', '2026-03-28T23:00:00.000Z', 5, '2026-03-29T04:00:00.000Z'],
    ['hours of a night that has one more', '2026-10-24T22:00:00.000Z', 7, '2026-10-25T05:00:00.000Z'],
    ['hours until midnight', '2026-06-02T18:00:00.000Z', 4, '2026-06-02T22:00:00.000Z'],
  ])('%s are those that pass', async (_, reported_at, hours, night_due_at) => {
    expect(await job({ reported_at, hours })).toMatchObject({ night_due_at });
  });

  test('days are those of work without holidays', async () => {
    expect(await job({ from_on: '2026-04-27', until_on: '2026-05-04' })).toMatchObject({ days: 5 });
  });

  test('another company has its own: no calendar of a name gives nothing', async () => {
    expect(
      await job(
        { reported_at: '2026-05-01T14:00:00.000Z', hours: 1, from_on: '2026-05-01', until_on: '2026-05-01' },
        harbour,
      ),
    ).toMatchObject({ due_at: '2026-05-01T15:00:00.000Z', support_due_at: null, days: 1 });
  });

  test('lists filter and sort by what they give, and count again when a holiday is entered', async () => {
    await job({ name: 'Counted', from_on: '2026-07-06', until_on: '2026-07-10' });
    const where = encodeURIComponent('{"name":"Counted","days":{"$gte":5}}');
    const count = async () =>
      (await owner<Row[]>('GET', `/jobs-done?where=${where}&sort_by=-days&range=[0,9]`)).body.length;
    expect(await count()).toBe(1);
    const { body } = await owner<Row>('GET', `/calendars/${officeId}`);
    const holidays = [...(body.holidays as object[]), { day: '2026-07-08' }];
    expect(await owner('PUT', `/calendars/${officeId}`, { holidays })).toMatchObject({ status: 200 });
    expect(await count()).toBe(0);
  });
});

test('validation compares what calendars give for the values that are written, also through computed fields', async () => {
  await studio.publish('jobs-done', (source) => {
    source.validate = [
      { condition: { days: { $lte: 3 } }, where: { name: 'Short' }, field: 'until_on', message: 'Three days at most.' },
      {
        condition: { reminder_at: { $gte: '2026-09-07T12:00:00.000Z' } },
        where: { name: 'Remind' },
        field: 'hours',
        message: 'Too soon.',
      },
    ];
  });
  const send = async (values: object, id?: number) =>
    (await owner<{ errors?: object }>(id ? 'PUT' : 'POST', `/jobs-done${id ? `/${id}` : ''}`, values)).body;
  const week = { name: 'Short', from_on: '2026-09-07', until_on: '2026-09-10' };
  expect((await send(week)).errors).toEqual({ until_on: 'Three days at most.' });
  const { id } = await job({ ...week, until_on: '2026-09-09' });
  expect((await send({ until_on: '2026-09-11' }, id)).errors).toEqual({ until_on: 'Three days at most.' });
  const opened = { name: 'Remind', reported_at: '2026-09-07T06:00:00.000Z' };
  expect((await send({ ...opened, hours: 5 })).errors).toEqual({ hours: 'Too soon.' });
  expect((await send({ ...opened, hours: 8 })).errors).toBeUndefined();
});

describe('calendars', () => {
  test('are kept by owners alone', async () => {
    const manager = await program.signIn(accounts.manager);
    expect((await manager('GET', '/calendars')).status).toBe(403);
    expect((await manager('POST', '/calendars', { name: 'Mine' })).status).toBe(403);
    expect((await harbour<Row[]>('GET', '/calendars')).body).toEqual([]);
  });

  test('have one default for each company, and a time zone that exists', async () => {
    expect(await owner('POST', '/calendars', { name: 'Second', is_default: true })).toMatchObject({
      status: 422,
      body: { errors: { is_default: 'Another calendar is the default one: change that first.' } },
    });
    expect(await owner('POST', '/calendars', { name: 'Moon', time_zone: 'Moon/Sea' })).toMatchObject({
      status: 422,
      body: { errors: { time_zone: 'Time Zone must be a name such as Europe/Berlin.' } },
    });
  });

  test('are named by a written text in expressions', async () => {
    const answer = await studio.tryPublish('jobs-done', (source) => {
      source.fields.days = {
        type: 'number',
        computed: { $workingDays: ['$record.from_on', '$record.until_on', '$record.name'] },
      };
    });
    expect(answer.status).toBe(422);
    expect(JSON.stringify(answer.body)).toMatch(/written as its name, such as/);
  });

  test('are none of columns of rows, which belong to no company', async () => {
    const answer = await studio.tryPublish('jobs-done', (source) => {
      source.fields.parts = {
        type: 'rows',
        fields: {
          from_on: { type: 'date' },
          days: { type: 'number', computed: { $workingDays: ['$record.from_on', '$record.from_on'] } },
        },
      };
    });
    expect(answer.status).toBe(422);
    expect(JSON.stringify(answer.body)).toMatch(/fields\/parts\/fields\/days\/computed.*Compute a field of the record/);
  });
});
