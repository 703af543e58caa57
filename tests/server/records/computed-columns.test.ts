// @module-tag slow
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { Source } from '../../../src/engine/language/source';
import { accounts, password } from '../../support/accounts';
import type { Client } from '../../support/program';
import { book, send } from '../imports/files';
import { startStudio, type Refusal, type StudioProgram } from '../modules/studio';

// Orders whose lines have a column that is computed from others: quantity × price.

let server: StudioProgram;
let owner: Client;

interface Row {
  readonly id: number;
  readonly [name: string]: unknown;
}

const fields: Source['fields'] = {
  name: { required: true },
  state: { type: 'select', options: ['open', 'sent'].map((value) => ({ value, label: value })) },
  lines: {
    type: 'rows',
    fields: {
      product: { required: true },
      quantity: { type: 'number', default: 1 },
      price: { type: 'number', decimal: true, digits: 2 },
      amount: {
        type: 'money',
        currency: 'EUR',
        computed: { $multiply: ['$record.quantity', '$record.price'] },
      },
      is_dear: { type: 'boolean', computed: { $gt: ['$record.amount', 500] } },
      reason: { required: { amount: { $gt: 1000 } } },
    },
  },
  total: { type: 'rollup', source: 'lines', aggregate: 'sum', field: 'amount' },
  dearest: { type: 'rollup', source: 'lines', aggregate: 'max', field: 'amount' },
  dear: { type: 'rollup', source: 'lines', aggregate: 'sum', field: 'amount', where: { is_dear: true } },
  taxed: { type: 'money', currency: 'EUR', computed: { $multiply: ['$record.total', 1.2] } },
  note: {},
};

beforeAll(async () => {
  server = await startStudio();
  ({ owner } = server);
  await server.studio.make('orders', fields, {
    validate: [
      { condition: { total: { $lte: 5000 } }, field: 'lines', message: 'At most 5,000 in all.' },
      {
        condition: { note: { $exists: true } },
        where: { 'lines.amount': { $gt: 2000 } },
        field: 'note',
        message: 'Say why a line is above 2,000.',
      },
    ],
    list: {
      columns: ['name', 'total', 'taxed'],
      filters: { total: { range: true } },
      totals: { total: 'sum' },
      charts: [{ name: 'sold', label: 'Sold', kind: 'bar', group: 'state', sum: 'total' }],
    },
    export: true,
    import: {},
  });
});
afterAll(() => server?.program.close());

const create = async (lines: readonly object[], more: object = {}): Promise<Row> => {
  const answer = await owner<Row>('POST', '/orders', { name: 'Order', lines, ...more });
  expect(answer.status, JSON.stringify(answer.body)).toBe(201);
  return answer.body;
};
const chairs = { product: 'Chair', quantity: 4, price: 120.55 };
const table = { product: 'Table', quantity: 1, price: 600 };

describe('a computed column', () => {
  test('is in the record with each row, and in what is taken from the rows', async () => {
    const { id } = await create([chairs, table, { product: 'Gift' }]);
    expect((await owner<Row>('GET', `/orders/${id}`)).body).toMatchObject({
      lines: [
        { amount: 482.2, is_dear: false },
        { amount: 600, is_dear: true },
        { quantity: 1, price: null, amount: null, is_dear: false },
      ],
      total: 1082.2,
      dearest: 600,
      dear: 600,
      taxed: 1298.64,
    });
  });

  test('is ignored when it is sent, follows the others, and is not in the history', async () => {
    const { id, lines } = await create([chairs]);
    const [line] = lines as Row[];
    const changed = await owner<Row>('PUT', `/orders/${id}`, { lines: [{ ...line, amount: 1, quantity: 2 }] });
    expect(changed.body).toMatchObject({ lines: [{ id: line!.id, quantity: 2, amount: 241.1 }], total: 241.1 });
    const { body } = await owner('GET', `/orders/${id}/history`);
    expect(JSON.stringify(body)).toContain('quantity');
    expect(JSON.stringify(body)).not.toContain('is_dear');
    // A value that comes back as it was sent is no change.
    const again = await owner<Row>('PUT', `/orders/${id}`, { lines: changed.body.lines });
    expect(again.body.updated_at).toBe(changed.body.updated_at);
  });

  test('is no column of the table', async () => {
    const columns = await server.query(
      `select column_name from information_schema.columns where table_name = 'orders__lines'`,
    );
    expect(columns.map(({ column_name: name }) => name)).toEqual(expect.arrayContaining(['quantity', 'price']));
    expect(columns.map(({ column_name: name }) => name)).not.toContain('amount');
  });

  test('is ignored by an import', async () => {
    const { body } = await server.program.call<{ token: string }>('POST', '/login', {
      email: accounts.owner,
      password,
    });
    const file = book([
      ['Name', 'Lines: Product', 'Lines: Quantity', 'Lines: Price', 'Lines: Amount'],
      ['Imported', 'Lamp', '3', '10', '99'],
    ]);
    const seen = await send(server.program, body.token, '/orders/import?preview=1', file);
    expect(seen.body).toMatchObject({ ready: 1, failed: 0 });
  });
});

describe('a rule over a computed column', () => {
  test.each<[what: string, lines: readonly object[], more: object, errors: object | undefined]>([
    ['accepts a sum up to a limit', [{ ...table, quantity: 1, price: 900 }], {}, undefined],
    [
      'refuses a greater sum',
      [
        { ...chairs, quantity: 30, price: 100, reason: 'x' },
        { ...chairs, quantity: 30, price: 70, reason: 'x' },
      ],
      { note: 'x' },
      { lines: 'At most 5,000 in all.' },
    ],
    [
      'looks at each row',
      [{ ...table, quantity: 5, price: 500, reason: 'x' }],
      {},
      { note: 'Say why a line is above 2,000.' },
    ],
    ['requires another cell', [{ ...table, quantity: 2 }], {}, { 'lines[0].reason': 'Reason is required.' }],
  ])('%s', async (_, lines, more, errors) => {
    const answer = await owner<Refusal>('POST', '/orders', { name: 'Order', lines, ...more });
    expect(answer.status, JSON.stringify(answer.body)).toBe(errors ? 422 : 201);
    expect(answer.body.errors).toEqual(errors);
  });
});

test('lists sort, filter and add up what is taken from a computed column', async () => {
  const [small, great] = [
    await create([{ product: 'a', quantity: 2, price: 1.5 }], { state: 'sent', name: 'small' }),
    await create([{ product: 'a', quantity: 3, price: 300 }], { state: 'sent', name: 'great' }),
  ];
  const names = async (query: string) => (await owner<Row[]>('GET', `/orders?${query}`)).body.map(({ id }) => id);
  const sorted = await names('state=sent&sort_by=-total');
  expect(sorted).toEqual([great.id, small.id]);
  expect(await names('state=sent&total_from=100')).toEqual([great.id]);
  expect(await names(`where=${encodeURIComponent(JSON.stringify({ 'lines.amount': 3 }))}`)).toEqual([small.id]);
  const query = new URLSearchParams({ group: 'state', take: 'sum:total', filter: JSON.stringify({ state: 'sent' }) });
  const { body } = await owner<{ data: { sum: Row }[] }>('GET', `/orders/aggregate?${query.toString()}`);
  expect(body.data[0]!.sum.total).toBe(903);
});

test.each<[what: string, lines: object, message: string]>([
  ['a condition', { amount: { type: 'boolean', computed: { quantity: 1 } } }, 'is computed by an expression'],
  ['a template', { amount: { type: 'text', computed: '{product}' } }, 'is computed by an expression'],
  [
    'a field of the record',
    { amount: { type: 'number', computed: { $add: ['$record.total', 1] } } },
    'Unknown field "total"',
  ],
  [
    'itself',
    { amount: { type: 'number', computed: { $add: ['$record.amount', 1] } } },
    'It is computed from itself: amount → amount.',
  ],
])('a column computed from %s is refused with what to do', async (_, columns, message) => {
  const { status, body } = await server.studio.tryPublish('orders', (source) => {
    Object.assign(source.fields.lines!.fields!, columns);
    for (const name of ['is_dear', 'reason']) delete source.fields.lines!.fields![name];
  });
  expect(status).toBe(422);
  expect(JSON.stringify(body)).toContain(message.replaceAll('"', '\\"'));
});

test('a stored column becomes a computed one, and its values stay in the table', async () => {
  await server.studio.make('bills', {
    name: {},
    lines: { type: 'rows', fields: { a: { type: 'number' }, b: { type: 'number' } } },
  });
  const { body } = await owner<Row>('POST', '/bills', { name: 'x', lines: [{ a: 2, b: 7 }] });
  const { definition } = await server.studio.module('bills');
  const next = structuredClone(definition) as Source;
  next.fields.lines!.fields!.b = { type: 'number', computed: { $multiply: ['$record.a', 10] } };
  const { steps } = await server.studio.plan('bills', next);
  expect(steps.filter(({ destructive }) => destructive)).toEqual([]);
  await server.studio.publish('bills', (source) => void (source.fields = next.fields));
  expect((await owner('GET', `/bills/${body.id}`)).body).toMatchObject({ lines: [{ a: 2, b: 20 }] });
  expect(await server.query('select a, b from bills__lines')).toMatchObject([{ a: 2, b: 7 }]);
});
