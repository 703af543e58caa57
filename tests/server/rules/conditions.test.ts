// @module-tag slow
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { accounts } from '../../support/accounts';
import type { Client } from '../../support/program';
import { startStudio, type Refusal, type StudioProgram } from '../modules/studio';

// Rules, validation, transitions and requests compare the same: paths, lookups, rollups, rows and computed values.

let server: StudioProgram;
let owner: Client;
let manager: Client;
let developer: Client;
let ids: Record<'owner' | 'manager' | 'developer', number>;

interface Row {
  readonly id: number;
  readonly [name: string]: unknown;
}

const idOf = async (call: Client) => (await call<{ data: { user: { id: number } } }>('GET', '/me')).body.data.user.id;

const states = ['draft', 'approved', 'paid'].map((value) => ({ value, label: value }));

beforeAll(async () => {
  server = await startStudio();
  ({ owner } = server);
  [manager, developer] = [
    await server.program.signIn(accounts.manager),
    await server.program.signIn(accounts.developer),
  ];
  ids = { owner: await idOf(owner), manager: await idOf(manager), developer: await idOf(developer) };
  const { make, publish } = server.studio;
  await make(
    'employees',
    { name: { required: true }, limit: { type: 'number' }, manager_id: { type: 'relation', to: 'users' } },
    { grants: { 4: 'none' } },
  );
  await make(
    'claims',
    {
      name: { required: true },
      employee_id: { type: 'relation', to: 'employees', embed: 'employee' },
      state: {
        type: 'select',
        options: states,
        initial: 'draft',
        transitions: [
          {
            from: 'draft',
            to: 'approved',
            where: { 'employee_id.manager_id': '$actor.id', total: { $lte: 1000 } },
          },
          { from: 'draft', to: 'approved', levels: [2], where: { total: { $gt: 1000 } } },
          { from: 'approved', to: 'paid' },
        ],
      },
      lines: {
        type: 'rows',
        fields: { text: {}, price: { type: 'number', decimal: true }, is_private: { type: 'boolean' } },
      },
      total: { type: 'rollup', source: 'lines', aggregate: 'sum', field: 'price' },
      limit: { type: 'lookup', source: 'employee_id.limit' },
      tax: { type: 'number', computed: { $multiply: ['$record.total', 0.5] } },
      note: {},
    },
    {
      grants: { 4: 'all' },
      validate: [
        {
          condition: { '$form.total': { $lte: '$form.limit' } },
          where: { limit: { $exists: true } },
          field: 'lines',
          message: 'More than the limit of the employee.',
        },
        { condition: { tax: { $lt: 10_000 } }, field: 'note', message: 'Tax is too high.' },
        {
          condition: { note: { $exists: true } },
          where: { lines: { $some: { is_private: true } } },
          field: 'note',
          message: 'Say why something is private.',
        },
      ],
      requests: {
        remind: {
          label: 'Remind',
          path: 'claim-remind/{id}',
          sets: ['note'],
          where: { 'employee_id.manager_id': '$actor.id', tax: { $gt: 0 } },
        },
      },
    },
  );
  await make('payouts', { name: {}, claim_id: { type: 'relation', to: 'claims' }, sum: { type: 'number' } });
  await publish('claims', (source) => {
    source.fields.payouts = { type: 'inverse', source: 'payouts.claim_id' };
    source.fields.paid = { type: 'rollup', source: 'payouts.claim_id', aggregate: 'sum', field: 'sum' };
    const [, , pay] = source.fields.state!.transitions!;
    Object.assign(pay!, { where: { payouts: { $some: {} }, paid: { $gte: 100 } } });
    source.rules = [
      { levels: [4], action: ['list', 'view', 'edit'], where: { limit: { $gte: 500 } }, reason: 'with a high limit' },
      { levels: [3], action: 'delete', where: { paid: 0 }, reason: 'of which nothing is paid' },
    ];
  });
});
afterAll(() => server?.program.close());

const create = async (path: string, body: object): Promise<Row> => {
  const answer = await owner<Row>('POST', path, body);
  expect(answer.status, JSON.stringify(answer.body)).toBe(201);
  return answer.body;
};
const employee = (more: object) => create('/employees', { name: 'Ada', manager_id: ids.manager, ...more });
const claim = async (prices: readonly number[], more: object = {}) =>
  create('/claims', { name: 'Trip', lines: prices.map((price) => ({ text: 'x', price })), ...more });

describe('a transition', () => {
  test.each<[who: string, call: () => Client, prices: readonly number[], status: number]>([
    ['is made by the manager of the employee', () => manager, [400], 200],
    ['is refused to others', () => owner, [400], 422],
    ['of a great amount is refused to the manager', () => manager, [600, 500], 422],
    ['of a great amount is made by finance', () => owner, [600, 500], 200],
  ])('%s', async (_, call, prices, status) => {
    const { id } = await claim(prices, { employee_id: (await employee({})).id });
    const answer = await call()<Refusal>('PUT', `/claims/${id}`, { state: 'approved' });
    expect(answer.status, JSON.stringify(answer.body)).toBe(status);
    expect((await owner('GET', `/claims/${id}`)).body).toMatchObject({ state: status === 200 ? 'approved' : 'draft' });
  });

  test('decides by the values that are written with it', async () => {
    const { id } = await claim([2000], { employee_id: (await employee({})).id });
    const lines = [{ text: 'x', price: 10 }];
    expect(await manager('PUT', `/claims/${id}`, { state: 'approved', lines })).toMatchObject({ status: 200 });
    const other = await claim([10]);
    const mine = await employee({});
    expect(await manager('PUT', `/claims/${other.id}`, { state: 'approved' })).toMatchObject({ status: 422 });
    expect(await manager('PUT', `/claims/${other.id}`, { state: 'approved', employee_id: mine.id })).toMatchObject({
      status: 200,
    });
  });

  test('counts the records that point to it, and what they add up to', async () => {
    const { id } = await claim([10], { employee_id: (await employee({})).id });
    expect(await manager('PUT', `/claims/${id}`, { state: 'approved' })).toMatchObject({ status: 200 });
    expect(await owner('PUT', `/claims/${id}`, { state: 'paid' })).toMatchObject({ status: 422 });
    await create('/payouts', { claim_id: id, sum: 60 });
    expect(await owner('PUT', `/claims/${id}`, { state: 'paid' })).toMatchObject({ status: 422 });
    await create('/payouts', { claim_id: id, sum: 40 });
    expect(await owner('PUT', `/claims/${id}`, { state: 'paid' })).toMatchObject({ status: 200 });
  });

  test('is explained with what it compares', async () => {
    const { id } = await claim([10], { employee_id: (await employee({})).id });
    const why = (user: number) =>
      owner('GET', `/permissions/why?user_id=${user}&module=claims&action=edit&id=${id}&field=state`);
    const [mine, others] = [await why(ids.manager), await why(ids.owner)];
    expect(JSON.stringify(mine.body)).toContain('it can change to approved');
    expect(JSON.stringify(others.body)).toContain('employee_id.manager_id = me');
  });
});

describe('validation', () => {
  test.each<[what: string, prices: readonly number[], more: object, errors: object | undefined]>([
    ['accepts rows up to a limit that is looked up', [300, 200], { limit: 500 }, undefined],
    ['refuses more', [300, 201], { limit: 500 }, { lines: 'More than the limit of the employee.' }],
    ['knows no limit of who has none', [300, 201], {}, undefined],
    ['compares a computed value', [30_000], {}, { note: 'Tax is too high.' }],
  ])('%s', async (_, prices, more, errors) => {
    const { id: employee_id } = await employee(more);
    const lines = prices.map((price) => ({ text: 'x', price }));
    const answer = await owner<Refusal>('POST', '/claims', { name: 'Trip', employee_id, lines });
    expect(answer.status, JSON.stringify(answer.body)).toBe(errors ? 422 : 201);
    expect(answer.body.errors).toEqual(errors);
  });

  test('applies to a change of the rows and of the record that is looked up, and changes nothing if refused', async () => {
    const { id } = await claim([300], { employee_id: (await employee({ limit: 500 })).id });
    const lines = [{ text: 'x', price: 501 }];
    expect(await owner('PUT', `/claims/${id}`, { lines })).toMatchObject({ status: 422 });
    const poor = await employee({ limit: 10 });
    expect(await owner('PUT', `/claims/${id}`, { employee_id: poor.id })).toMatchObject({ status: 422 });
    expect((await owner('GET', `/claims/${id}`)).body).toMatchObject({ total: 300, limit: 500 });
  });

  test('does not depend on what its author may see', async () => {
    const { id } = await claim([300], { employee_id: (await employee({ limit: 500 })).id });
    expect((await developer('GET', `/claims/${id}`)).body).toMatchObject({ limit: null });
    const lines = [{ text: 'x', price: 501 }];
    expect(await developer('PUT', `/claims/${id}`, { lines })).toMatchObject({ status: 422 });
  });

  test('applies to several records at once', async () => {
    const [rich, poor] = [await employee({ limit: 500 }), await employee({ limit: 10 })];
    const lines = [{ text: 'x', price: 100 }];
    const send = (employee_id: number) => ({
      create: [
        { name: 'a', employee_id: rich.id, lines },
        { name: 'b', employee_id, lines },
      ],
    });
    expect(await owner('POST', '/claims/bulk', send(poor.id))).toMatchObject({ status: 422 });
    expect((await owner('POST', '/claims/bulk', send(rich.id))).status).toBeLessThan(300);
  });

  test('takes a cell that was left out as empty', async () => {
    const lines = [{ text: 'x', is_private: true }];
    expect(await owner('POST', '/claims', { name: 'Trip', lines })).toMatchObject({
      status: 422,
      body: { errors: { note: 'Say why something is private.' } },
    });
  });
});

test('validation compares what is calculated with calendars', async () => {
  await server.studio.make(
    'leaves',
    {
      name: {},
      from_on: { type: 'date' },
      until_on: { type: 'date' },
      days: { type: 'number', computed: { $workingDays: ['$record.from_on', '$record.until_on'] } },
    },
    { validate: [{ condition: { days: { $lte: 3 } }, field: 'until_on', message: 'At most three days.' }] },
  );
  const send = (until_on: string) => owner('POST', '/leaves', { name: 'x', from_on: '2026-11-02', until_on });
  expect(await send('2026-11-04')).toMatchObject({ status: 201 });
  expect(await send('2026-11-06')).toMatchObject({
    status: 422,
    body: { errors: { until_on: 'At most three days.' } },
  });
});

describe('a request', () => {
  test.each<[who: string, call: () => Client, prices: readonly number[], status: number]>([
    ['is made by whom a relation leads to', () => manager, [10], 200],
    ['is refused to others', () => owner, [10], 409],
    ['is refused where a computed value does not match', () => manager, [], 409],
  ])('%s', async (_, call, prices, status) => {
    const { id } = await claim(prices, { employee_id: (await employee({})).id });
    const answer = await call()('PATCH', `/claim-remind/${id}`, { note: 'Please.' });
    expect(answer.status, JSON.stringify(answer.body)).toBe(status);
  });
});

describe('a rule', () => {
  test('compares a value that is looked up, also for who may not see it', async () => {
    const [rich, poor] = [await employee({ limit: 500 }), await employee({ limit: 499 })];
    const [open, closed] = [await claim([1], { employee_id: rich.id }), await claim([1], { employee_id: poor.id })];
    const { body } = await developer<Row[] | { data: Row[] }>('GET', '/claims');
    const listed = (Array.isArray(body) ? body : body.data).map(({ id }) => id);
    expect(listed).toContain(open.id);
    expect(listed).not.toContain(closed.id);
    expect(await developer('GET', `/claims/${open.id}`)).toMatchObject({ status: 200 });
    expect(await developer('GET', `/claims/${closed.id}`)).toMatchObject({ status: 404 });
    expect(await developer('PUT', `/claims/${open.id}`, { note: 'x' })).toMatchObject({ status: 200 });
    expect(await developer('PUT', `/claims/${closed.id}`, { note: 'x' })).toMatchObject({ status: 404 });
  });

  test('compares what other records add up to', async () => {
    const [unpaid, paid] = [await claim([1]), await claim([1])];
    const payout = await create('/payouts', { claim_id: paid.id, sum: 60 });
    expect(await manager('DELETE', `/claims/${paid.id}`)).toMatchObject({ status: 403 });
    expect((await manager('DELETE', `/claims/${unpaid.id}`)).status).toBeLessThan(300);
    await owner('DELETE', `/payouts/${payout.id}`);
    expect((await manager('DELETE', `/claims/${paid.id}`)).status).toBeLessThan(300);
  });
});
