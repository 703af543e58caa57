// @module-tag slow
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { Source } from '../../../src/engine/language/source';
import { renameField } from '../../../src/engine/studio/fields';
import { renameColumn } from '../../../src/engine/studio/row-columns';
import { sourceOf } from '../../support/definitions';
import { accounts, startFixtureProgram, type Client, type DemoProgram } from '../../support/program';

// Orders whose lines belong to them: what is taken from the rows of a record.
const orders: Source = sourceOf(
  'orders',
  {
    name: { type: 'text', required: true },
    state: { type: 'select', options: ['open', 'paid'].map((value) => ({ value, label: value })) },
    customer_id: { type: 'relation', to: 'customers' },
    lines: {
      type: 'rows',
      fields: {
        product: { type: 'text', required: true },
        amount: { type: 'money', currency: 'EUR' },
        paid_on: { type: 'date' },
        optional: { type: 'boolean' },
      },
    },
    total: { type: 'rollup', source: 'lines', aggregate: 'sum', field: 'amount', where: { optional: { $ne: true } } },
    taxed: { type: 'money', currency: 'EUR', computed: { $multiply: ['$record.total', 1.2] } },
    pieces: { type: 'rollup', source: 'lines', aggregate: 'count' },
    last_paid: { type: 'rollup', source: 'lines', aggregate: 'max', field: 'paid_on' },
    last_product: { type: 'rollup', source: 'lines', aggregate: 'latest', field: 'product' },
    paid_share: { type: 'rollup', source: 'lines', aggregate: 'share', where: { paid_on: { $exists: true } } },
  },
  {
    scope: 'company',
    list: { columns: ['name', 'total', 'taxed', 'last_paid', 'last_product'], filters: { total: { range: true } } },
    export: true,
    import: {},
    rules: [{ levels: [5], action: ['list', 'view'], exceptFields: ['lines'] }],
    grants: { '5': 'read', '6': 'none' },
  },
);
const customers: Source = sourceOf(
  'customers',
  {
    name: { type: 'text' },
    ordered: { type: 'rollup', source: 'orders.customer_id', aggregate: 'sum', field: 'total' },
  },
  { scope: 'company', grants: { '5': 'read' } },
);

type Row = Record<string, unknown> & { id: number };

let demo: DemoProgram;
let admin: Client;
let owner: Client;
let customer: number;

const add = async (path: string, body: object) => {
  const answer = await owner<Row>('POST', path, body);
  expect(answer.status, JSON.stringify(answer.body)).toBe(201);
  return answer.body;
};
const names = async (query: string) => {
  const { status, body } = await owner<Row[]>('GET', `/orders?${query}`);
  expect(status, JSON.stringify(body)).toBe(200);
  return body.map(({ name }) => name);
};

beforeAll(async () => {
  demo = await startFixtureProgram();
  admin = await demo.signIn(accounts.admin);
  owner = await demo.signIn(accounts.owner);
  const { ordered: _ordered, ...bare } = customers.fields;
  for (const definition of [{ ...customers, fields: bare }, orders]) {
    const answer = await admin('POST', '/modules', { definition });
    expect(answer.status, JSON.stringify(answer.body)).toBe(201);
  }
  const answer = await admin('PUT', '/modules/customers', { definition: customers, version: 1 });
  expect(answer.status, JSON.stringify(answer.body)).toBe(200);
  customer = (await add('/customers', { name: 'Baker' })).id;
  await add('/orders', {
    name: 'Roof',
    customer_id: customer,
    lines: [
      { product: 'Panel', amount: 0.1, paid_on: '2026-01-31' },
      { product: 'Cable', amount: 0.2 },
      { product: 'Ladder', amount: 100, optional: true, paid_on: '2026-02-01' },
      { product: 'Advice' },
    ],
  });
  await add('/orders', { name: 'Door', customer_id: customer, lines: [{ product: 'Bell', amount: 12.25 }] });
  await add('/orders', { name: 'Empty', customer_id: customer });
});
afterAll(() => demo?.close());

test('what is taken from rows is in lists and records, and computed fields calculate with it', async () => {
  const { body } = await owner<Row[]>('GET', '/orders?sort_by=-total');
  expect(
    body.map(({ name, total, taxed, pieces, last_paid, last_product, paid_share }) => ({
      name,
      total,
      taxed,
      pieces,
      last_paid,
      last_product,
      paid_share,
    })),
  ).toEqual([
    { name: 'Door', total: 12.25, taxed: 14.7, pieces: 1, last_paid: null, last_product: 'Bell', paid_share: 0 },
    {
      name: 'Roof',
      total: 0.3,
      taxed: 0.36,
      pieces: 4,
      last_paid: '2026-02-01',
      last_product: 'Advice',
      paid_share: 50,
    },
    { name: 'Empty', total: 0, taxed: 0, pieces: 0, last_paid: null, last_product: null, paid_share: null },
  ]);
  const { body: alone } = await owner<Row>('GET', `/orders/${body[1]!.id}`);
  expect(alone).toMatchObject({ total: 0.3, last_product: 'Advice' });
});

test.each([
  ['where={"total":0.3}', ['Roof']],
  ['where={"total":{"$gte":1}}', ['Door']],
  ['total_from=0.2&total_to=1', ['Roof']],
  ['filter={"last_paid":{"$exists":false}}&sort_by=name', ['Door', 'Empty']],
  ['filter={"taxed":{"$gt":14}}', ['Door']],
  ['sort_by=-pieces', ['Roof', 'Door', 'Empty']],
  ['sort_by=total&fields=name', ['Empty', 'Roof', 'Door']],
])('GET /orders?%s', async (query, found) => expect(await names(query)).toEqual(found));

test('a rollup over rows is aggregated, exported, and used by rollups of other records', async () => {
  const { body } = await owner('GET', '/orders/aggregate?take=sum:total');
  expect(JSON.stringify(body)).toContain('12.55');
  const file = await owner<string>('GET', '/orders-export?format=csv&sort_by=name');
  expect(file.body.trim().split('\r\n').slice(1)).toEqual([
    'Door,12.25,14.7,,Bell',
    'Empty,0,0,,',
    'Roof,0.3,0.36,2026-02-01,Advice',
  ]);
  expect((await owner<Row>('GET', `/customers/${customer}`)).body.ordered).toBe(12.55);
});

test('a rollup over rows follows their changes, ignores sent values, and has no history', async () => {
  const made = await add('/orders', { name: 'Chair', total: 99, lines: [{ product: 'Leg', amount: 4 }] });
  expect(made).toMatchObject({ total: 4, taxed: 4.8 });
  const changed = await owner<Row>('PUT', `/orders/${made.id}`, {
    total: 7,
    lines: [...(made.lines as object[]), { product: 'Seat', amount: 0.5 }],
  });
  expect(changed).toMatchObject({ status: 200, body: { total: 4.5, last_product: 'Seat' } });
  const { body: history } = await owner('GET', `/orders/${made.id}/history`);
  expect(JSON.stringify(history)).toContain('Seat');
  expect(JSON.stringify(history)).not.toMatch(/Total|Taxed|(?<!\d)4\.8(?!\d)/);
  expect((await owner('DELETE', `/orders/${made.id}`)).status).toBe(200);
  const columns = demo.program.definitions.registry().getOrThrow('orders').import!.columns;
  expect(JSON.stringify(columns)).not.toMatch(/total|taxed|pieces/);
});

test('a rollup over rows is null, and not found by its value, for users who may not read the rows', async () => {
  const level5 = await demo.signIn(accounts.qa);
  const { body } = await level5<Row[]>('GET', '/orders?sort_by=name');
  expect(body.map(({ name, total, taxed, pieces }) => [name, total, taxed, pieces])).toEqual([
    ['Door', null, null, null],
    ['Empty', null, null, null],
    ['Roof', null, null, null],
  ]);
  const { body: found } = await level5<Row[]>('GET', '/orders?where={"total":{"$gte":0}}');
  expect(found).toEqual([]);
});

test('the API document has it as read-only', async () => {
  const { body } = await owner<{ components: { schemas: Record<string, unknown> } }>('GET', '/openapi.json');
  const documented = JSON.stringify(Object.entries(body.components.schemas).filter(([name]) => /^Order/.test(name)));
  for (const name of ['total', 'pieces', 'last_paid', 'last_product', 'paid_share'])
    expect(documented).toMatch(new RegExp(`"${name}":\\{[^}]*"readOnly":true`));
});

test.each([
  [{ source: 'line', aggregate: 'count' }, 'Did you mean \\"lines\\"?'],
  [{ source: 'name', aggregate: 'count' }, '\\"name\\" is of type text: a rollup takes the rows of a field'],
  [{ source: 'lines', aggregate: 'sum' }, '\\"sum\\" needs \\"field\\": the column of \\"lines\\"'],
  [
    { source: 'lines', aggregate: 'sum', field: 'product' },
    '\\"sum\\" takes numbers, and \\"product\\" is of type text',
  ],
  [{ source: 'lines', aggregate: 'avg', field: 'amout' }, 'Did you mean \\"amount\\"?'],
  [{ source: 'lines', aggregate: 'count', field: 'amount' }, '\\"count\\" counts rows and takes no field'],
  [{ source: 'lines', aggregate: 'share' }, 'which of the rows are the share'],
  [{ source: 'lines', aggregate: 'latest', field: 'amount', latestBy: 'product' }, '\\"product\\" must be a date'],
  [{ source: 'lines', aggregate: 'max', field: 'optional' }, '\\"max\\" takes numbers, dates and texts'],
  [{ source: 'lines', aggregate: 'count', where: { prise: 1 } }, 'Unknown field \\"prise\\" in orders.lines'],
  [{ source: 'lines', aggregate: 'count', where: { product: '$record.name' } }, 'cannot compare with $record.name'],
])('%j is refused', async (written, message) => {
  const definition = { ...orders, fields: { ...orders.fields, wrong: { type: 'rollup', ...written } } };
  const { body } = await admin('POST', '/modules/orders/plan', { definition });
  expect(JSON.stringify(body)).toContain(message);
});

test.each([
  [
    { source: 'orders.customer_id', aggregate: 'sum', field: 'lines.amount' },
    'Make a rollup of orders over \\"lines\\"',
  ],
  [{ source: 'orders.customer_id', aggregate: 'sum', field: 'lines' }, 'Make a rollup of orders over \\"lines\\"'],
  [{ source: 'orders.customer_id.lines', aggregate: 'count' }, 'Make a rollup of orders over \\"lines\\"'],
])('rows of related records are not taken directly: %j', async (written, message) => {
  const definition = { ...customers, fields: { ...customers.fields, wrong: { type: 'rollup', ...written } } };
  const { body } = await admin('POST', '/modules/customers/plan', { definition });
  expect(JSON.stringify(body)).toContain(message);
});

test('a column that a rollup takes cannot be removed, and the plan says what breaks', async () => {
  const { amount: _amount, ...columns } = orders.fields.lines!.fields!;
  const definition = { ...orders, fields: { ...orders.fields, lines: { ...orders.fields.lines, fields: columns } } };
  const answer = await admin('PUT', '/modules/orders', { definition, version: 1, confirm: true });
  expect(answer.status, JSON.stringify(answer.body)).toBe(422);
  expect(JSON.stringify(answer.body)).toContain('Unknown field \\"amount\\" in orders.lines');
});

test('renamed columns, and renamed rows, are taken as before by rollups here and in other modules', async () => {
  const publish = async (change: (source: Source) => Source) => {
    const { body } = await admin<{ data: { definition: Source; version: number } }>('GET', '/modules/orders');
    const { definition, version } = body.data;
    const answer = await admin('PUT', '/modules/orders', { definition: change(definition), version });
    expect(answer.status, JSON.stringify(answer.body)).toBe(200);
  };
  const taken = async () => {
    const { body } = await owner<Row[]>('GET', '/orders?sort_by=name');
    const { body: of } = await owner<Row>('GET', `/customers/${customer}`);
    const { body: sum } = await owner('GET', '/orders/aggregate?take=sum:total');
    const rollups = body.map(({ total, taxed, pieces, last_paid, last_product, paid_share }) => {
      return { total, taxed, pieces, last_paid, last_product, paid_share };
    });
    return { rollups, ordered: of.ordered, sum, found: await names('total_from=0.2&total_to=1') };
  };
  const before = await taken();
  expect(before.found).toEqual(['Roof']);
  await publish((source) => {
    const published = source.fields.lines!.fields!;
    const renames = [
      ['amount', 'price'],
      ['optional', 'extra'],
      ['paid_on', 'settled_on'],
      ['product', 'article'],
    ] as const;
    return renames.reduce((changed, [from, to]) => renameColumn(changed, 'lines', from, to, published), source);
  });
  expect(await taken()).toEqual(before);
  await publish((source) => renameField(source, 'lines', 'items', source));
  expect(await taken()).toEqual(before);
  const [found] = (await owner<Row[]>('GET', '/orders?where={"name":"Roof"}')).body;
  const { body: roof } = await owner<Row & { items: Row[] }>('GET', `/orders/${found!.id}`);
  const { body } = await owner<Row>('PUT', `/orders/${roof.id}`, {
    items: [...roof.items, { article: 'Nail', price: 1, extra: false }],
  });
  expect(body).toMatchObject({ total: 1.3, pieces: 5 });
});
