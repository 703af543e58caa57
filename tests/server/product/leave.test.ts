// @module-tag slow
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';
import { startDueAutomations } from '../../../src/server/automation/schedules';
import { readProduct } from '../../../src/server/read-product';
import { createTestDatabase, type TestDatabase } from '../../support/database';
import { startDemoProgram, type Client, type DemoProgram } from '../../support/program';

// Leave and expenses of JSON alone: what their definitions promise, over HTTP.

type Row = Record<string, unknown> & { id: number };
interface Refusal {
  readonly errors: Record<string, string>;
  readonly message: string;
}
const people = ['owner', 'hr', 'finance', 'lead', 'employee', 'colleague', 'other'] as const;
type Person = (typeof people)[number];
const names: Record<Person, string> = {
  owner: '',
  hr: 'Ruth Maier',
  finance: 'Georg Lang',
  lead: 'Mira Novak',
  employee: 'Jan Pichler',
  colleague: 'Sara Wolf',
  other: 'Emil Fuchs',
};

let database: TestDatabase;
let program: DemoProgram;
let as: Record<Person, Client>;

beforeAll(async () => {
  database = await createTestDatabase();
  program = await startDemoProgram({ product: readProduct('examples/leave'), database });
  const sessions = people.map(async (name) => [name, await program.signIn(`${name}@demo.test`)] as const);
  as = Object.fromEntries(await Promise.all(sessions)) as Record<Person, Client>;
  await settled();
});
afterAll(async () => {
  await program?.close();
  await database?.close();
});

const query = async (text: string) => (await database.database.pool.query<Row>(text)).rows;
/** Waits until everything that happens by itself has been done. */
const settled = () =>
  vi.waitFor(
    async () =>
      expect(await query(`select automation, state from assay.automation_runs where state = 'waiting'`)).toEqual([]),
    { timeout: 20_000 },
  );
const list = async (path: string, who: Person = 'hr') => {
  const { status, body } = await as[who]<Row[]>('GET', path);
  expect({ status, body }).toMatchObject({ status: 200 });
  return body;
};
const idOf = async (table: string, where: string) => (await query(`select id from ${table} where ${where}`))[0]!.id;
const employee = (who: Person) => idOf('employees', `name = '${names[who]}'`);
const notices = async (who: Person) =>
  (await as[who]<{ data: { title: string }[] }>('GET', '/notifications')).body.data.map(({ title }) => title);
const dayIn = (days: number) => new Date(Date.now() + days * 86_400_000).toISOString().slice(0, 10);

/** Asks for leave; what is left out is unpaid leave, which needs no allowance. */
async function ask(who: Person, from_on: string, to_on: string, values: object = {}) {
  const body = { leave_type_id: await idOf('leave_types', `name = 'Unpaid leave'`), from_on, to_on, ...values };
  const answer = await as[who]<Row & Refusal>('POST', '/leave-requests', body);
  return { ...answer, id: answer.body.id, faults: Object.keys(answer.body.errors ?? {}) };
}
const act = async (who: Person, what: string, id: number, body: object = {}, headers?: Record<string, string>) =>
  as[who]<Row & Refusal>('PATCH', `/leave-requests-${what}/${id}`, body, headers);
const vacation = async (who: Person, year = 2030) => ({
  leave_type_id: await idOf('leave_types', `name = 'Vacation'`),
  allowance_id: await idOf('allowances', `employee_id = ${await employee(who)} and year = ${year}`),
});
/** The days left in 2030, as human resources, the employee and the manager read them alike. */
const leftOf = async (who: Person) => {
  const path = `/allowances?employee_id=${await employee(who)}&year=2030`;
  const [left, ...others] = await Promise.all(
    (['hr', who, 'lead'] as const).map(async (reader) => (await list(path, reader))[0]!.left),
  );
  expect(others).toEqual([left, left]);
  return left;
};

describe('a leave', () => {
  // The calendar has holidays on 1 May, a Wednesday, and 30 May 2030, a Thursday.
  test.each<[string, string, object, number]>([
    ['2030-04-29', '2030-05-03', {}, 4],
    ['2030-05-27', '2030-05-31', { begins_at_noon: true }, 3.5],
    ['2030-06-06', '2030-06-11', { begins_at_noon: true, ends_at_noon: true }, 3],
    ['2030-06-14', '2030-06-14', { ends_at_noon: true }, 0.5],
  ])('from %s to %s with %j takes %d days', async (from, to, values, days) => {
    const { status, body } = await ask('colleague', from, to, values);
    expect([status, body.days]).toEqual([201, days]);
  });

  test.each<[string, string, string, object, string]>([
    ['on a weekend', '2030-06-15', '2030-06-16', {}, 'to_on'],
    ['on a holiday', '2030-05-30', '2030-05-30', {}, 'to_on'],
    ['of no time at all', '2030-06-17', '2030-06-17', { begins_at_noon: true, ends_at_noon: true }, 'to_on'],
    ['that ends before it begins', '2030-06-19', '2030-06-18', {}, 'to_on'],
    ['over two years', '2030-12-30', '2031-01-02', {}, 'to_on'],
  ])('%s is refused: from %s to %s', async (_, from, to, values, field) => {
    const { status, faults } = await ask('other', from, to, values);
    expect([status, faults]).toEqual([422, [field]]);
  });

  test.each<[string, Person, string, string, number]>([
    ['before another', 'other', '2031-02-03', '2031-02-04', 201],
    ['right after it', 'other', '2031-02-05', '2031-02-07', 201],
    ['on its last day', 'other', '2031-02-07', '2031-02-10', 422],
    ['around it', 'other', '2031-02-03', '2031-02-14', 422],
    ['on the same days, of somebody else', 'colleague', '2031-02-05', '2031-02-07', 201],
  ])('%s: %s from %s to %s is %i', async (_, who, from, to, status) => {
    const answer = await ask(who, from, to);
    expect([answer.status, answer.faults]).toEqual([status, status === 201 ? [] : ['from_on']]);
  });

  test('belongs to whoever asks, without being said, and to nobody else', async () => {
    const answer = await ask('other', '2031-03-03', '2031-03-03');
    expect(answer.body).toMatchObject({ employee_id: await employee('other'), state: 'requested' });
    const forColleague = await ask('other', '2031-03-04', '2031-03-04', { employee_id: await employee('colleague') });
    expect(forColleague.status).toBe(403);
    expect((await ask('other', '2031-03-04', '2031-03-04', { state: 'approved', blocks: null })).body).toMatchObject({
      state: 'requested',
    });
    expect((await ask('other', '2031-03-04', '2031-03-04')).status).toBe(422);
  });
});

describe('an allowance', () => {
  test('is not exceeded: by half a day, by a longer leave, or by a second one that is approved', async () => {
    const days = await vacation('employee');
    expect(await leftOf('employee')).toBe(10);
    const more = await ask('employee', '2030-09-02', '2030-09-16', { ...days, ends_at_noon: true });
    expect([more.status, more.faults, more.body.days]).toEqual([422, ['to_on'], undefined]);
    const all = await ask('employee', '2030-09-02', '2030-09-13', days);
    expect([all.status, all.body.days]).toEqual([201, 10]);
    const longer = await as.employee<Refusal>('PUT', `/leave-requests/${all.id}`, { to_on: '2030-09-16' });
    expect([longer.status, Object.keys(longer.body.errors)]).toEqual([422, ['to_on']]);
    expect((await as.employee('PUT', `/leave-requests/${all.id}`, { to_on: '2030-09-12' })).status).toBe(200);

    // A second one may be asked for as long as the first is not approved, and is approved as far as there are days left.
    const [second, half] = [
      await ask('employee', '2030-09-23', '2030-09-24', days),
      await ask('employee', '2030-09-25', '2030-09-25', { ...days, ends_at_noon: true }),
    ];
    expect([second.status, half.status]).toEqual([201, 201]);
    expect((await act('lead', 'approve', all.id)).status).toBe(200);
    expect(await leftOf('employee')).toBe(1);
    const refused = await act('lead', 'approve', second.id);
    expect([refused.status, refused.body.errors]).toEqual([
      422,
      { to_on: 'These are more days than are left: shorten the leave, or choose another leave type.' },
    ]);
    expect((await act('lead', 'approve', half.id)).status).toBe(200);
    expect(await leftOf('employee')).toBe(0.5);
    expect((await ask('employee', '2030-09-26', '2030-09-26', days)).status).toBe(422);
    expect((await ask('employee', '2030-09-26', '2030-09-26', { ...days, begins_at_noon: true })).status).toBe(201);
  });

  test('has its days back once the leave is cancelled, and the days of a refused one are free again', async () => {
    const days = await vacation('colleague');
    const before = (await leftOf('colleague')) as number;
    const [first, second] = [
      await ask('colleague', '2030-11-04', '2030-11-05', days),
      await ask('colleague', '2030-11-11', '2030-11-12', days),
    ];
    expect((await act('lead', 'approve', second.id)).status).toBe(200);
    expect(await leftOf('colleague')).toBe(before - 2);
    expect((await act('colleague', 'cancel', second.id)).status).toBe(200);
    expect((await act('lead', 'refuse', first.id, { reason: 'A fair' })).status).toBe(200);
    expect(await leftOf('colleague')).toBe(before);
    expect((await ask('colleague', '2030-11-04', '2030-11-12')).status).toBe(201);
  });

  test.each<[string, () => Promise<object>]>([
    ['none', async () => ({ ...(await vacation('other')), allowance_id: null })],
    ['that of another person', async () => vacation('employee')],
    ['that of another year', async () => ({ ...(await vacation('employee', 2031)) })],
  ])('is needed for a vacation: %s is refused', async (name, values) => {
    const who = name.endsWith('year') ? 'employee' : 'other';
    const { status, faults } = await ask(who, '2030-12-02', '2030-12-02', await values());
    expect([status, faults]).toEqual([422, ['allowance_id']]);
  });
});

describe('the approval of a leave', () => {
  let id: number;
  beforeAll(async () => {
    id = (await ask('employee', '2031-05-05', '2031-05-06')).id;
  });

  test.each<[Person, number]>([
    ['employee', 409],
    ['colleague', 404],
    ['other', 404],
    ['finance', 404],
    ['hr', 409],
    ['owner', 409],
    ['lead', 200],
    ['lead', 409],
  ])('is for the manager alone, and once: by %s %i', async (who, status) => {
    const answer = await act(who, 'approve', id);
    expect({ status: answer.status, body: answer.body }).toMatchObject({ status });
  });

  test.each<[Person, Person, Person, number]>([
    ['lead', 'employee', 'hr', 200],
    ['hr', 'hr', 'owner', 200],
    ['other', 'lead', 'hr', 200],
  ])('of %s is not by %s, but by %s', async (who, refused, allowed, status) => {
    const one = await ask(who, '2031-06-02', '2031-06-03', { employee_id: await employee(who) });
    expect((await act(refused, 'approve', one.id)).status).toBeGreaterThanOrEqual(403);
    expect((await act(allowed, 'approve', one.id)).status).toBe(status);
  });

  test('says who decided and tells the employee; a refusal needs a reason', async () => {
    const [yes, no] = [
      await ask('employee', '2031-07-01', '2031-07-01'),
      await ask('employee', '2031-07-02', '2031-07-02'),
    ];
    expect((await act('lead', 'approve', yes.id)).status).toBe(200);
    const missing = await act('lead', 'refuse', no.id);
    expect([missing.status, Object.keys(missing.body.errors)]).toEqual([422, ['reason']]);
    expect((await act('lead', 'refuse', no.id, { reason: 'Stocktaking' })).status).toBe(200);
    await settled();
    const read = async (one: number) => (await as.employee<Row>('GET', `/leave-requests/${one}`)).body;
    expect(await read(yes.id)).toMatchObject({ state: 'approved', decider: { name: 'Mira Novak' }, blocks: 1 });
    expect(await read(no.id)).toMatchObject({ state: 'refused', reason: 'Stocktaking', blocks: null });
    const told = await notices('employee');
    for (const text of [/approved\.$/, /is refused\. Open it for the reason\.$/])
      expect(told).toContainEqual(expect.stringMatching(text));
    expect(await notices('lead')).toContainEqual(expect.stringMatching(/^Jan Pichler asks for leave/));
  });

  test('is not needed for an illness', async () => {
    const ill = await ask('employee', '2031-08-04', '2031-08-05', {
      leave_type_id: await idOf('leave_types', `name = 'Illness'`),
    });
    await settled();
    expect((await as.employee<Row>('GET', `/leave-requests/${ill.id}`)).body).toMatchObject({ state: 'approved' });
  });

  test('leaves the days as they are, for the employee and for the manager', async () => {
    expect((await as.employee('PUT', `/leave-requests/${id}`, { to_on: '2031-05-07' })).status).toBe(403);
    expect((await as.lead('PUT', `/leave-requests/${id}`, { to_on: '2031-05-07' })).status).toBe(403);
    expect((await as.colleague('PUT', `/leave-requests/${id}`, { note: 'x' })).status).toBe(404);
  });
});

describe('a leave is cancelled', () => {
  test.each<[Person, number, number]>([
    ['colleague', 30, 404],
    ['lead', 30, 409],
    ['hr', 30, 409],
    ['employee', 30, 200],
    ['employee', -5, 409],
  ])('by %s, %i days before it begins: %i', async (who, days, status) => {
    const made = await ask('employee', '2031-09-01', '2031-09-01');
    await query(`update leave_requests set from_on = '${dayIn(days)}', to_on = '${dayIn(days + 1)}', state = 'requested'
      where id = ${made.id}`);
    expect((await act(who, 'cancel', made.id)).status).toBe(status);
    await query(`delete from leave_requests where id = ${made.id}`);
  });

  test('also where a day that was entered as a holiday later leaves none of it', async () => {
    const made = await ask('employee', '2031-09-03', '2031-09-03');
    const [calendar] = await list('/calendars', 'owner');
    const { body } = await as.owner<Row & { holidays: object[] }>('GET', `/calendars/${calendar!.id}`);
    const holidays = [...body.holidays, { day: '2031-09-03', name: 'A new one' }];
    expect((await as.owner('PUT', `/calendars/${calendar!.id}`, { holidays })).status).toBe(200);
    expect((await as.employee<Row>('GET', `/leave-requests/${made.id}`)).body.days).toBe(0);
    expect((await act('employee', 'cancel', made.id)).status).toBe(200);
  });

  test('until its first day, in the time zone of whoever cancels', async () => {
    const made = await ask('employee', '2031-09-02', '2031-09-02');
    // Their days always differ: one is 25 hours ahead of the other.
    const [east, west] = ['Pacific/Kiritimati', 'Pacific/Pago_Pago'];
    const today = new Intl.DateTimeFormat('en-CA', { timeZone: east! }).format(new Date());
    await query(`update leave_requests set from_on = '${today}', to_on = '${today}' where id = ${made.id}`);
    expect((await act('employee', 'cancel', made.id, {}, { 'x-timezone': east! })).status).toBe(409);
    expect((await act('employee', 'cancel', made.id, {}, { 'x-timezone': west! })).status).toBe(200);
    expect((await act('employee', 'cancel', made.id, {}, { 'x-timezone': west! })).status).toBe(409);
  });
});

describe('people', () => {
  beforeAll(async () => {
    expect((await ask('lead', '2031-12-01', '2031-12-01')).status).toBe(201);
  });

  test.each<[Person, readonly string[]]>([
    ['employee', ['Jan Pichler']],
    ['colleague', ['Sara Wolf']],
    ['lead', ['Jan Pichler', 'Mira Novak', 'Sara Wolf']],
    ['finance', []],
  ])('see the leave of themselves and their reports: %s', async (who, expected) => {
    const seen = await list('/leave-requests', who);
    const whose = [...new Set(seen.map((row) => (row.employee as { name: string }).name))].sort();
    expect(whose).toEqual(expected);
  });

  test('see accounts and balances of themselves and their reports alone', async () => {
    const ibans = async (who: Person) =>
      (await list('/employees', who)).filter(({ iban }) => iban).map(({ name }) => name);
    expect([await ibans('employee'), await ibans('colleague'), await ibans('hr')]).toEqual([
      ['Jan Pichler'],
      [],
      ['Jan Pichler'],
    ]);
    const balances = async (who: Person) =>
      [...new Set((await list('/allowances', who)).map((row) => (row.employee as { name: string }).name))].sort();
    expect(await balances('employee')).toEqual(['Jan Pichler']);
    expect(await balances('lead')).toEqual(['Jan Pichler', 'Mira Novak', 'Sara Wolf']);
    expect((await as.employee('PUT', `/employees/${await employee('employee')}`, { manager_id: null })).status).toBe(
      403,
    );
  });
});

test('a manager is reminded at eight of what begins within two weeks and waits for an answer', async () => {
  const { id } = await ask('employee', '2031-10-01', '2031-10-01');
  await settled();
  const look = async (time: string) => {
    await startDueAutomations(program.program, new Date(time));
    await settled();
    return (
      await query(`select id from assay.automation_runs where automation = 'open_approval' and state = 'done'
        and resource = 'leave-requests' and record_id = ${id}`)
    ).length;
  };
  for (const [time, times] of [
    ['2031-09-16T06:01:00Z', 0],
    ['2031-09-17T05:59:00Z', 0],
    ['2031-09-17T06:00:00Z', 1],
    ['2031-09-17T15:00:00Z', 1],
    ['2031-09-18T06:00:00Z', 2],
  ] as const)
    expect([time, await look(time)]).toEqual([time, times]);
  await act('lead', 'approve', id);
  expect(await look('2031-09-19T06:00:00Z')).toBe(2);
  expect(await notices('lead')).toContainEqual(expect.stringMatching(/^Jan Pichler waits for your answer about/));
});

/** Makes a report of one line of an amount, with a receipt unless told otherwise. */
async function report(who: Person, price: number, line: object = {}, withReceipt = true) {
  const receipts = withReceipt ? [await upload(who)] : null;
  const lines = [{ spent_on: dayIn(-3), kind: 'travel', quantity: 1, price, ...line }];
  const answer = await as[who]<Row & Refusal>('POST', '/expense-reports', { name: 'A journey', lines, receipts });
  return { ...answer, id: answer.body.id, faults: Object.keys(answer.body.errors ?? {}) };
}
async function upload(who: Person): Promise<object> {
  const { body } = await program.call<{ token: string }>('POST', '/login', {
    email: `${who}@demo.test`,
    password: 'Demo@1234',
  });
  const form = new FormData();
  form.append('file', new Blob(['%PDF-1.4\n%%EOF']), 'receipt.pdf');
  const answer = await program.app.inject({
    method: 'POST',
    url: '/api/expense-reports/files?field=receipts',
    headers: { authorization: `Bearer ${body.token}` },
    payload: form as never,
  });
  expect(answer.statusCode, answer.body).toBe(201);
  return answer.json<{ data: object }>().data;
}
const bring = (who: Person, id: number, values: object) =>
  as[who]<Row & Refusal>('PUT', `/expense-reports/${id}`, values);
const submitted = async (who: Person, price: number) => {
  const { id } = await report(who, price);
  expect(await bring(who, id, { state: 'submitted' })).toMatchObject({ status: 200 });
  return id;
};

describe('an expense report', () => {
  test('adds up quantity by price', async () => {
    const { body } = await report('employee', 19.99, { quantity: 3 });
    expect(body).toMatchObject({ total: 59.97, key: expect.stringMatching(/^E-\d+$/), state: 'draft' });
  });

  test.each<[string, number, object, number]>([
    ['of the greatest amount', 5000, {}, 201],
    ['of more', 5000.01, {}, 422],
    ['of more by its quantity', 2500.01, { quantity: 2 }, 422],
    ['of today', 10, { spent_on: dayIn(0) }, 201],
    ['of the future', 10, { spent_on: dayIn(3) }, 422],
  ])('has no line %s: %d with %j is %i', async (_, price, line, status) => {
    const answer = await report('employee', price, line, false);
    expect([answer.status, answer.faults]).toEqual([status, status === 201 ? [] : ['lines']]);
  });

  test.each<[string, number, object, boolean, number]>([
    ['without receipts', 10, {}, false, 422],
    ['of nothing', 0, {}, true, 422],
    ['with too many meals', 200.01, { kind: 'meal' }, true, 422],
    ['with as many meals as are paid', 200, { kind: 'meal' }, true, 200],
  ])('is submitted %s: %i', async (_, price, line, withReceipt, status) => {
    const { id } = await report('employee', price, line, withReceipt);
    expect((await bring('employee', id, { state: 'submitted' })).status).toBe(status);
  });

  test('is read by its employee, their manager and finance, and changed by its employee as a draft alone', async () => {
    const { id } = await report('employee', 10);
    const statuses = async (method: string, body?: object) =>
      Promise.all(
        (['employee', 'lead', 'finance', 'colleague', 'hr'] as const).map(
          async (who) => (await as[who](method, `/expense-reports/${id}`, body)).status,
        ),
      );
    expect(await statuses('GET')).toEqual([200, 200, 200, 404, 404]);
    expect(await statuses('PUT', { name: 'Another' })).toEqual([200, 403, 403, 404, 404]);
    await bring('employee', id, { state: 'submitted' });
    expect(await statuses('PUT', { name: 'Third' })).toEqual([403, 403, 403, 404, 404]);
    expect((await as.employee('DELETE', `/expense-reports/${id}`)).status).toBe(403);
  });

  test.each<[Person, number, Person, number]>([
    ['employee', 1000, 'lead', 200],
    ['employee', 1000, 'finance', 422],
    ['employee', 1000, 'employee', 403],
    ['employee', 1000, 'colleague', 404],
    ['employee', 1000, 'hr', 404],
    ['employee', 1000.01, 'lead', 422],
    ['employee', 1000.01, 'finance', 200],
    ['finance', 1000.01, 'finance', 422],
    ['finance', 500, 'hr', 200],
    ['lead', 500, 'finance', 200],
  ])('of %s over %d is approved by %s: %i', async (whose, price, who, status) => {
    const id = await submitted(whose, price);
    const answer = await bring(who, id, { state: 'approved' });
    expect({ status: answer.status, body: answer.body }).toMatchObject({ status });
    if (status === 200) expect((await bring(who, id, { state: 'approved', remark: 'x' })).status).not.toBe(500);
  });

  test('waits for the manager up to 1,000, for finance above, who are told so', async () => {
    const [small, large] = [await submitted('employee', 1000), await submitted('employee', 1000.01)];
    await settled();
    const waiting = async (who: Person) => (await list('/expense-reports?is_for_me=true', who)).map(({ id }) => id);
    expect(await waiting('lead')).toContain(small);
    expect(await waiting('lead')).not.toContain(large);
    expect(await waiting('finance')).toContain(large);
    expect(await waiting('finance')).not.toContain(small);
    expect(await notices('lead')).toContainEqual(
      expect.stringMatching(/^E-\d+ of Jan Pichler waits for you: €1,000\.00$/),
    );
    expect(await notices('finance')).toContainEqual(expect.stringMatching(/waits for finance: €1,000\.01$/));
  });

  test('is sent back with a remark, and paid by finance with a day that has come', async () => {
    const id = await submitted('employee', 300);
    expect((await bring('lead', id, { state: 'draft' })).status).toBe(422);
    expect((await bring('lead', id, { state: 'draft', remark: 'Which train?' })).status).toBe(200);
    expect((await bring('employee', id, { state: 'submitted' })).status).toBe(200);
    expect((await bring('finance', id, { state: 'paid', paid_on: dayIn(0) })).status).toBe(422);
    expect((await bring('lead', id, { state: 'approved' })).status).toBe(200);
    expect((await bring('lead', id, { state: 'paid', paid_on: dayIn(0) })).status).toBe(403);
    expect((await bring('finance', id, { state: 'paid' })).status).toBe(422);
    expect((await bring('finance', id, { state: 'paid', paid_on: dayIn(3) })).status).toBe(422);
    expect((await bring('finance', id, { state: 'paid', paid_on: dayIn(0) })).status).toBe(200);
  });

  test('is reminded of after three days without a change', async () => {
    const id = await submitted('employee', 700);
    await settled();
    await query(`update expense_reports set updated_at = '2032-01-01T10:00:00Z' where id = ${id}`);
    const look = async (time: string) => {
      await startDueAutomations(program.program, new Date(time));
      await settled();
      return (
        await query(`select id from assay.automation_runs where automation = 'open_approval' and record_id = ${id}
          and resource = 'expense-reports' and state = 'done'`)
      ).length;
    };
    expect(await look('2032-01-04T09:59:00Z')).toBe(0);
    expect(await look('2032-01-04T10:01:00Z')).toBe(1);
    expect(await look('2032-01-05T10:01:00Z')).toBe(1);
  });

  test('is downloaded as accounting reads it: a line for each expense', async () => {
    const id = await submitted('employee', 12.5);
    await bring('lead', id, { state: 'approved' });
    const { body: row } = await as.finance<Row>('GET', `/expense-reports/${id}`);
    const answer = await as.finance<string>('GET', `/expense-reports-export/accounting?filter={"id":${id}}`);
    expect(answer.headers['content-disposition']).toBe('attachment; filename="expenses.csv"');
    const day = dayIn(-3).split('-').reverse().join('.');
    expect(answer.body.trim().split('\r\n')).toEqual([
      'Account;Document;Employee;Date;Text;Amount in EUR',
      `7300;${row.key as string};Jan Pichler;${day};;12,5`,
    ]);
  });

  test('is printed with its lines and its total', async () => {
    const { id } = (await list('/expense-reports?q=Cologne', 'employee'))[0]!;
    const { body } = await as.employee<string>('GET', `/expense-reports/${id}/print`);
    expect(body).toContain('<h1>Expense report E-1</h1>');
    expect(body).toContain('Supper with a customer');
    expect(body).toMatch(/Total<\/th>.*€562\.90/);
    expect(body).toContain('No receipts are attached.');
    expect((await as.colleague('GET', `/expense-reports/${id}/print`)).status).toBe(404);
  });
});

test('a manager sees the latest leave of their reports on their own record, and a report that of nobody else', async () => {
  const [lead, jan] = [await employee('lead'), await employee('employee')];
  await ask('employee', '2032-03-01', '2032-03-02');
  await ask('lead', '2032-03-08', '2032-03-09');
  const starts = async (who: Person, of: number) => {
    const { body } = await as[who]<{ latest_leave?: Row[] }>('GET', `/employees/${of}?fields=latest_leave`);
    return body.latest_leave?.map(({ to_on }) => to_on);
  };
  for (const who of ['lead', 'hr'] as const)
    expect((await starts(who, lead))?.slice(-2)).toEqual(['2032-03-02', '2032-03-09']);
  expect(await starts('employee', jan)).toContain('2032-03-02');
  expect(await starts('employee', jan)).not.toContain('2032-03-09');
  expect(await starts('employee', lead)).toBeUndefined();
});
