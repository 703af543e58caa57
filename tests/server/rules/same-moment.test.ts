// @module-tag slow
import pg from 'pg';
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';
import type { Condition } from '../../../src/engine/definitions/definition';
import type { Source } from '../../../src/engine/language/source';
import { accounts, password } from '../../support/accounts';
import type { ApiResponse, Client } from '../../support/program';
import { book, send } from '../imports/files';
import { startStudio, type Refusal, type StudioProgram } from '../modules/studio';

// Rules over other records hold for writes at the same moment: what is stored could have been stored one after the other.

type Answer = ApiResponse<Refusal & { id: number; code?: string }>;

let server: StudioProgram;
let owner: Client;
let manager: Client;
let harbour: Client;
let observer: pg.Client;

const sum = (source: string, field: string, where: Condition) =>
  ({ type: 'rollup', source, aggregate: 'sum', field, where }) as const;
const counted = (source: string, where?: Condition) =>
  ({ type: 'rollup', source, aggregate: 'count', ...(where && { where }) }) as const;
const relation = (to: string) => ({ type: 'relation', to }) as const;
const minus = (from: string, amount: string) =>
  ({ type: 'number', computed: { $subtract: [`$record.${from}`, `$record.${amount}`] } }) as const;
const states = ['asked', 'approved', 'refused'].map((value) => ({ value, label: value }));
const number = { type: 'number' } as const;
const tooLong = 'More days than are left.';

type Fields = NonNullable<Source['fields']>;
/** Makes a module and one whose records belong to it, with the fields and rules of both that need each other. */
async function makePair(
  [parent, parentFields, derivedFields]: readonly [string, Fields, Fields],
  [child, childFields, childRules]: readonly [string, Fields, Partial<Source>],
  parentRules: Partial<Source> = {},
): Promise<void> {
  const { studio } = server;
  await studio.make(parent, parentFields);
  await studio.make(child, { name: {}, [`${parent.slice(0, -1)}_id`]: relation(parent), ...childFields });
  await studio.publish(parent, (source) => {
    Object.assign(source.fields, derivedFields);
    Object.assign(source, parentRules);
  });
  await studio.publish(child, (source) => {
    Object.assign(source.fields, childRules.fields);
    Object.assign(source, { ...childRules, fields: source.fields });
  });
}

beforeAll(async () => {
  server = await startStudio();
  ({ owner } = server);
  manager = await server.program.signIn(accounts.manager);
  harbour = await server.program.signIn('owner@harbour.test');
  const { options } = server.program.program.database.pool;
  observer = new pg.Client(options.connectionString);
  await observer.connect();
  await makePair(
    [
      'employees',
      { name: {}, allowance: number },
      { taken: sum('leaves.employee_id', 'days', { state: 'approved' }), left: minus('allowance', 'taken') },
    ],
    [
      'leaves',
      { days: number, state: { type: 'select', options: states, default: 'asked' } },
      {
        fields: { left: { type: 'lookup', source: 'employee_id.left' } },
        validate: [
          {
            condition: { '$form.days': { $lte: '$form.left' } },
            where: { state: 'approved' },
            field: 'days',
            message: tooLong,
          },
        ],
        archive: {},
        import: {},
      },
    ],
  );
}, 60_000);
afterAll(async () => {
  await observer?.end();
  await server?.program.close();
});

const waiting = (count: number) =>
  vi.waitFor(
    async () => {
      const { rows } = await observer.query(
        "select from pg_stat_activity where wait_event_type = 'Lock' and datname = current_database()",
      );
      expect(rows.length).toBeGreaterThanOrEqual(count);
    },
    { timeout: 10_000, interval: 10 },
  );

/** Makes calls that all reach the moment before they store something, and then lets them go on. Returns their statuses. */
async function atOnce(table: string, ...calls: (() => Promise<Answer>)[]): Promise<Answer[]> {
  await observer.query(`begin; lock table ${table} in share mode`);
  const answers = calls.map((call) => call());
  try {
    await waiting(calls.length);
  } finally {
    await observer.query('commit');
  }
  return Promise.all(answers);
}
const statuses = (answers: readonly Answer[]) => answers.map(({ status }) => status).sort();

async function make(path: string, values: object, call = owner): Promise<number> {
  const answer = await call<{ id: number }>('POST', path, values);
  expect(answer, JSON.stringify(answer.body)).toMatchObject({ status: 201 });
  return answer.body.id;
}
const employee = (allowance: number, call = owner) => make('/employees', { name: 'Jan', allowance }, call);
const leave = (id: number, days: number, values: object = {}, call = owner) =>
  call<Answer['body']>('POST', '/leaves', { name: 'x', employee_id: id, days, state: 'approved', ...values });
const ownerToken = async () =>
  (await server.program.call<{ token: string }>('POST', '/login', { email: accounts.owner, password })).body.token;
const daysTaken = async (id: number) => (await owner<{ taken: number }>('GET', `/employees/${id}`)).body.taken ?? 0;

describe('a sum over the records of the same parent', () => {
  test('of two new records that exceed it together, one is stored', async () => {
    const id = await employee(10);
    const answers = await atOnce(
      'leaves',
      () => leave(id, 6),
      () => leave(id, 6, {}, manager),
    );
    expect(statuses(answers)).toEqual([201, 422]);
    expect(answers.find(({ status }) => status === 422)!.body.errors).toEqual({ days: tooLong });
    expect(await daysTaken(id)).toBe(6);
  });

  test('of two changes, and of a change and a new record, one is stored', async () => {
    const id = await employee(10);
    const [one, two] = [await leave(id, 6, { state: 'asked' }), await leave(id, 6, { state: 'asked' })];
    const approve = (answer: Answer, call = owner) =>
      call<Answer['body']>('PUT', `/leaves/${answer.body.id}`, { state: 'approved' });
    const both = await atOnce(
      'leaves',
      () => approve(one),
      () => approve(two, manager),
    );
    expect(statuses(both)).toEqual([200, 422]);
    const open = both[0]!.status === 422 ? one : two;
    await owner('PUT', `/employees/${id}`, { allowance: 12 });
    const next = await atOnce(
      'leaves',
      () => approve(open),
      () => leave(id, 6, {}, manager),
    );
    expect(next.filter(({ status }) => status < 300)).toHaveLength(1);
    expect(await daysTaken(id)).toBe(12);
  });

  test('of 16 new records as many are stored as fit', async () => {
    const id = await employee(10);
    const answers = await Promise.all(
      Array.from({ length: 16 }, (_, at) => leave(id, 2, {}, at % 2 ? owner : manager)),
    );
    expect(answers.filter(({ status }) => status === 201)).toHaveLength(5);
    expect(await daysTaken(id)).toBe(10);
  });

  test("an administrator's write for the company is one of them", async () => {
    const id = await employee(10);
    const { body } = await owner<{ site_id: number }>('GET', `/employees/${id}`);
    const answers = await atOnce(
      'leaves',
      () => leave(id, 6),
      () => leave(id, 6, { site_id: body.site_id }, server.admin),
    );
    expect(statuses(answers)).toEqual([201, 422]);
  });

  test('a record that moves to another parent counts there', async () => {
    const [from, to] = [await employee(10), await employee(10)];
    const moved = await leave(from, 6, { state: 'asked' });
    const answers = await atOnce(
      'leaves',
      () => owner('PUT', `/leaves/${moved.body.id}`, { employee_id: to, state: 'approved' }),
      () => leave(to, 6, {}, manager),
    );
    expect(answers.filter(({ status }) => status < 300)).toHaveLength(1);
    expect([await daysTaken(from), await daysTaken(to)]).toEqual([0, 6]);
  });

  test('a deletion, an archived record and one that comes back are stored beside the others', async () => {
    const id = await employee(10);
    const first = await leave(id, 6);
    const path = `/leaves/${first.body.id}`;
    const archived = await atOnce(
      'leaves',
      () => owner('DELETE', path),
      () => leave(id, 4, {}, manager),
    );
    expect(statuses(archived)).toEqual([200, 201]);
    expect(await daysTaken(id)).toBe(4);
    const restored = await atOnce(
      'leaves',
      () => owner('PATCH', `/leaves/restore/${first.body.id}`),
      () => leave(id, 6, {}, manager),
    );
    // After the restored one there are no days left; before it there are, and nothing is asked of what comes back.
    expect(restored[0]!.status).toBe(200);
    expect(await daysTaken(id)).toBe(restored[1]!.status === 201 ? 16 : 10);
  });
});

describe('many records in one call', () => {
  test('count for one another', async () => {
    const id = await employee(10);
    const create = [6, 6].map((days) => ({ name: 'x', employee_id: id, days, state: 'approved' }));
    const answer = await owner<Answer['body']>('POST', '/leaves/bulk', { create });
    expect(answer).toMatchObject({ status: 422, body: { errors: { 'create[1].days': tooLong } } });
    const asked = [await leave(id, 6, { state: 'asked' }), await leave(id, 6, { state: 'asked' })];
    const update = asked.map(({ body }) => ({ id: body.id, state: 'approved' }));
    expect(await owner('POST', '/leaves/bulk', { update })).toMatchObject({
      status: 422,
      body: { errors: { 'update[1].days': tooLong } },
    });
    expect(await daysTaken(id)).toBe(0);
  });

  test('count for one another when they are deleted', async () => {
    await makePair(
      ['orders', { name: {} }, { line_count: counted('lines.order_id') }],
      [
        'lines',
        {},
        {
          rules: [
            { levels: [2, 3], action: ['delete'], where: { 'order_id.line_count': { $gt: 1 } }, reason: 'one stays' },
          ],
        },
      ],
    );
    const id = await make('/orders', { name: 'Paint' });
    const lines = [await make('/lines', { order_id: id }), await make('/lines', { order_id: id })];
    const answer = await owner<Answer['body']>('POST', '/lines/bulk', { delete: lines });
    expect(answer).toMatchObject({
      status: 403,
      body: { errors: { 'delete[1]': expect.stringContaining('one stays') } },
    });
    expect((await owner<{ line_count: number }>('GET', `/orders/${id}`)).body.line_count).toBe(2);
  });

  test('of two such calls over the same parents, in another order, one is stored', async () => {
    const ids = [await employee(10), await employee(10)];
    const create = (order: readonly number[]) => ({
      create: order.map((id) => ({ name: 'x', employee_id: id, days: 6, state: 'approved' })),
    });
    const answers = await atOnce(
      'leaves',
      () => owner('POST', '/leaves/bulk', create(ids)),
      () => manager('POST', '/leaves/bulk', create([...ids].reverse())),
    );
    expect(statuses(answers)).toEqual([200, 422]);
    expect([await daysTaken(ids[0]!), await daysTaken(ids[1]!)]).toEqual([6, 6]);
  });

  test('the rows of a file count for one another, in its preview too', async () => {
    const id = await make('/employees', { name: 'Sara', allowance: 10 });
    const token = await ownerToken();
    const rows = [6, 6, 4].map((days) => ['x', 'Sara', String(days), 'approved']);
    const file = book([['Name', 'Employee', 'Days', 'State'], ...rows]);
    const preview = await send(server.program, token, '/leaves/import?preview=1', file);
    const refusal = { row: 3, column: 'Days', message: tooLong };
    expect(preview.body).toMatchObject({ ready: 2, failed: 1, errors: [refusal] });
    expect(await daysTaken(id)).toBe(0);
    await send(server.program, token, '/leaves/import', file);
    expect(await daysTaken(id)).toBe(10);
  });

  test('the rows of a file that change records count for those after them, in its preview too', async () => {
    const id = await employee(10);
    const [first, second] = [await leave(id, 6), await leave(id, 6, { state: 'asked' })];
    const token = await ownerToken();
    const file = book([
      ['Record ID', 'State'],
      [first.body.id, 'refused'],
      [second.body.id, 'approved'],
    ]);
    const preview = await send(server.program, token, '/leaves/import?preview=1', file);
    expect(preview.body).toMatchObject({
      ready: 2,
      failed: 0,
      errors: [],
      rows: [
        { row: 2, changes: [{ field: 'state', old: 'approved', new: 'refused' }] },
        { row: 3, changes: [{ field: 'state', old: 'asked', new: 'approved' }] },
      ],
    });
    await send(server.program, token, '/leaves/import', file);
    expect((await owner<{ state: string }>('GET', `/leaves/${second.body.id}`)).body.state).toBe('approved');
  });
});

describe('other rules', () => {
  test('a transition that follows a path through a relation is made once', async () => {
    await makePair(
      [
        'budgets',
        { name: {}, amount: number },
        {
          spent: sum('claims.budget_id', 'amount', { state: 'approved' }),
          paid: sum('claims.budget_id', 'amount', { is_paid: true }),
          is_open: { type: 'boolean', computed: { $gt: ['$record.amount', '$record.spent'] } },
          is_covered: { type: 'boolean', computed: { $gt: ['$record.amount', '$record.paid'] } },
        },
      ],
      [
        'claims',
        {
          amount: number,
          is_paid: { type: 'boolean', default: false, readOnly: true },
          state: { type: 'select', options: states, initial: 'asked' },
        },
        {
          fields: {
            state: {
              type: 'select',
              options: states,
              initial: 'asked',
              transitions: [
                { from: 'asked', to: 'approved', where: { 'budget_id.is_open': true } },
                { from: 'asked', to: 'refused' },
              ],
            },
          },
          requests: { pay: { label: 'Pay', sets: { is_paid: true }, where: { 'budget_id.is_covered': true } } },
        },
      ],
    );
    const id = await make('/budgets', { name: 'Travel', amount: 10 });
    const claims = [
      await make('/claims', { budget_id: id, amount: 10 }),
      await make('/claims', { budget_id: id, amount: 10 }),
    ];
    const approved = await atOnce(
      'claims',
      () => owner('PUT', `/claims/${claims[0]}`, { state: 'approved' }),
      () => manager('PUT', `/claims/${claims[1]}`, { state: 'approved' }),
    );
    expect(statuses(approved)).toEqual([200, 422]);
    const paid = await atOnce(
      'claims',
      () => owner('PATCH', `/claims-pay/${claims[0]}`),
      () => manager('PATCH', `/claims-pay/${claims[1]}`),
    );
    expect(statuses(paid)).toEqual([200, 409]);
  });

  test('the last place is given once: by what can be chosen, by who may create, and by a request that adds', async () => {
    await makePair(
      ['tours', { name: {}, places: number }, { booked: counted('bookings.tour_id'), free: minus('places', 'booked') }],
      ['bookings', {}, { fields: { tour_id: { ...relation('tours'), choices: { free: { $gt: 0 } } } } }],
    );
    await server.studio.make('guides', { name: {}, tour_id: relation('tours') });
    await server.studio.make('remarks', { name: {}, tour_id: relation('tours') });
    await server.studio.publish('tours', (source) => {
      source.fields.guided = counted('guides.tour_id');
      source.fields.remarked = counted('remarks.tour_id');
      source.requests = {
        remark: {
          label: 'Remark',
          path: 'tour-remark/{id}',
          where: { remarked: 0 },
          adds: { resource: 'remarks', relation: 'tour_id', fields: ['name'] },
        },
      };
    });
    await server.studio.publish('guides', (source) => {
      source.rules = [{ levels: [2, 3], action: ['create'], where: { 'tour_id.guided': 1 }, reason: 'one guide' }];
    });
    const id = await make('/tours', { name: 'Castle', places: 1 });
    const pair = (table: string, call: (who: Client) => Promise<Answer>) =>
      atOnce(
        table,
        () => call(owner),
        () => call(manager),
      );
    const add = (path: string) => (who: Client) => who<Answer['body']>('POST', path, { name: 'x', tour_id: id });
    expect(statuses(await pair('bookings', add('/bookings')))).toEqual([201, 422]);
    expect(statuses(await pair('remarks', (who) => who('PATCH', `/tour-remark/${id}`, { name: 'Nice' })))).toEqual([
      200, 409,
    ]);
    const guides = await Promise.all([owner, manager, owner, manager].map(add('/guides')));
    expect(statuses(guides)).toEqual([201, 403, 403, 403]);
  });

  test('a parent is not closed while an open record is added, if the rules of both look at each other', async () => {
    await makePair(
      [
        'plans',
        { name: {}, closed: { type: 'boolean', default: false } },
        { open_steps: counted('steps.plan_id', { done: false }) },
      ],
      [
        'steps',
        { done: { type: 'boolean', default: false } },
        {
          validate: [
            {
              condition: { 'plan_id.closed': false },
              where: { done: false },
              field: 'plan_id',
              message: 'It is closed.',
            },
          ],
        },
      ],
      {
        validate: [
          { condition: { open_steps: 0 }, where: { closed: true }, field: 'closed', message: 'There are open steps.' },
        ],
      },
    );
    const id = await make('/plans', { name: 'Move' });
    const step = await make('/steps', { name: 'Pack', plan_id: id, done: true });
    const answers = await atOnce(
      'plans, steps',
      () => owner('PUT', `/plans/${id}`, { closed: true }),
      () => manager('PUT', `/steps/${step}`, { done: false }),
    );
    expect(statuses(answers)).toEqual([200, 422]);
  });
});

describe('the lock', () => {
  /** Locks what the server locks before it writes a leave of a company, as another server would. */
  const hold = (company: number) =>
    observer.query(`begin; select pg_advisory_xact_lock(hashtextextended('rules of leaves in ${company}', 0))`);

  test('is one of the company: others do not wait, and after the time for locks the call may be repeated', async () => {
    const id = await employee(10);
    const theirs = await employee(10, harbour);
    const { body } = await owner<{ site_id: number }>('GET', `/employees/${id}`);
    await hold(body.site_id);
    const delayedAnswer = leave(id, 2);
    await waiting(1);
    expect(await leave(theirs, 2, {}, harbour)).toMatchObject({ status: 201 });
    expect(await owner('PUT', `/employees/${id}`, { name: 'Jana' })).toMatchObject({ status: 200 });
    expect(await delayedAnswer).toMatchObject({ status: 503, headers: { 'retry-after': '2' } });
    await observer.query('rollback');
    expect(await leave(id, 2)).toMatchObject({ status: 201 });
    expect(await daysTaken(id)).toBe(2);
  });

  describe('comes before that of a record', () => {
    /** A leave, the lock of its company held, and whether its row is free while somebody waits for that lock. */
    async function heldLeave() {
      const employeeId = await employee(10);
      const { body } = await owner<{ site_id: number }>('GET', `/employees/${employeeId}`);
      const { id } = (await leave(employeeId, 2)).body;
      await hold(body.site_id);
      const isFreeWhileWaiting = async () => {
        try {
          await waiting(1);
          return (await observer.query(`select from leaves where id = ${id} for update skip locked`)).rowCount === 1;
        } finally {
          await observer.query('rollback');
        }
      };
      return { id, isFreeWhileWaiting };
    }

    test('in the preview of a file that changes it', async () => {
      const token = await ownerToken();
      const { id, isFreeWhileWaiting } = await heldLeave();
      const file = book([
        ['Record ID', 'Name'],
        [id, 'Summer'],
      ]);
      const preview = send(server.program, token, '/leaves/import?preview=1', file);
      expect(await isFreeWhileWaiting()).toBe(true);
      expect((await preview).body).toMatchObject({ ready: 1, failed: 0 });
    });

    test('in the run of an automation that a comment started', async () => {
      await server.studio.publish('leaves', (source) => {
        source.comments = true;
        source.automations = [
          {
            name: 'noted',
            label: 'Noted',
            events: ['comment'],
            where: { 'employee_id.left': { $gt: 0 } },
            runAs: accounts.owner,
            steps: [{ set: { name: 'Noted' } }],
          },
        ];
      });
      const { id, isFreeWhileWaiting } = await heldLeave();
      expect(await manager('POST', `/leaves/${id}/comments`, { text: '<p>Good</p>' })).toMatchObject({ status: 201 });
      expect(await isFreeWhileWaiting()).toBe(true);
      const name = async () => (await owner<{ name: string }>('GET', `/leaves/${id}`)).body.name;
      await vi.waitFor(async () => expect(await name()).toBe('Noted'), { timeout: 30_000 });
    });
  });

  test('in a circle with another lock ends the call, which stores nothing and may be repeated', async () => {
    const id = await employee(10);
    const { body } = await owner<{ site_id: number }>('GET', `/employees/${id}`);
    // PostgreSQL ends whoever finds the circle: the observer does not look for it.
    await observer.query(`begin; set local deadlock_timeout = '1min'; lock table leaves in share mode`);
    const refusedAnswer = leave(id, 2);
    await waiting(1);
    await observer.query(`select pg_advisory_xact_lock(hashtextextended('rules of leaves in ${body.site_id}', 0))`);
    await observer.query('rollback');
    expect(await refusedAnswer).toMatchObject({ status: 503 });
    expect(await daysTaken(id)).toBe(0);
    expect(await leave(id, 2)).toMatchObject({ status: 201 });
  });
});
