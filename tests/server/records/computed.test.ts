import { afterAll, beforeAll, expect, test } from 'vitest';
import type { Source } from '../../../src/engine/language/source';
import { sourceOf } from '../../support/definitions';
import { accounts, startFixtureProgram, type Client, type DemoProgram } from '../../support/program';

const books: Source = sourceOf(
  'books',
  {
    name: { type: 'text', required: true },
    price: { type: 'number', digits: 2 },
    copies: { type: 'number', integer: true },
    bought_on: { type: 'date' },
    cost: { type: 'number' },
    total: { type: 'number', digits: 2, computed: { $multiply: ['$record.price', '$record.copies'] } },
    margin: { type: 'number', digits: 2, computed: { $subtract: ['$record.total', '$record.cost'] } },
    age: { type: 'number', integer: true, computed: { $daysBetween: ['$record.bought_on', '$today'] } },
    due: { type: 'date', computed: { $addMonths: ['$record.bought_on', 1] } },
    made_on: { type: 'date', computed: { $dayOf: '$record.created_at' } },
    code: { type: 'text', computed: { $concat: [{ $upper: { $left: ['$record.name', 2] } }, '-', '$record.copies'] } },
    band: {
      type: 'select',
      options: [
        { value: 'dear', label: 'Dear' },
        { value: 'cheap', label: 'Cheap' },
      ],
      computed: { $if: { condition: { total: { $gte: 10 } }, then: 'dear', else: 'cheap' } },
    },
    is_big: { type: 'boolean', computed: { $gt: ['$record.copies', 3] } },
  },
  {
    scope: 'company',
    list: { filters: { total: { range: true }, band: {}, is_big: {} }, sort: '-total' },
    export: true,
    import: {},
    rules: [
      { levels: [6], action: ['list', 'view'], exceptFields: ['cost'] },
      { levels: [6], action: ['create', 'edit', 'delete'] },
    ],
    grants: { '6': ['list', 'view'] },
  },
);

let demo: DemoProgram;
let owner: Client;
let external: Client;
let days: string;

beforeAll(async () => {
  demo = await startFixtureProgram();
  const admin = await demo.signIn(accounts.admin);
  owner = await demo.signIn(accounts.owner);
  external = await demo.signIn(accounts.external);
  expect(await admin('POST', '/modules', { definition: books })).toMatchObject({ status: 201 });
  days = new Date(Date.now() - 3 * 86_400_000).toISOString().slice(0, 10);
  for (const book of [
    { name: 'Atlas', price: 1.1, copies: 3, bought_on: days, cost: 1, total: 999, band: 'dear' },
    { name: 'Bible', price: 4.005, copies: 100, cost: 0.5 },
    { name: 'Cooking', price: null, copies: 5 },
  ])
    expect(await owner('POST', '/books', book)).toMatchObject({ status: 201 });
});
afterAll(() => demo?.close());

test('computed values are in responses; what is sent for them is ignored', async () => {
  const { body } = await owner<{ id: number; name: string }[]>('GET', '/books?sort_by=name');
  expect(body).toMatchObject([
    { total: 3.3, margin: 2.3, age: 3, code: 'AT-3', band: 'cheap', is_big: false },
    { total: 400.5, margin: 400, age: null, due: null, code: 'BI-100', band: 'dear', is_big: true },
    { total: null, margin: null, code: 'CO-5', band: 'cheap', is_big: true },
  ]);
  const changed = await owner('PUT', `/books/${body[0]!.id}`, { price: 2.2, total: 1, margin: 5 });
  expect(changed).toMatchObject({ status: 200, body: { price: 2.2, total: 6.6, margin: 5.6 } });
  const { body: history } = await owner('GET', `/books/${body[0]!.id}/history`);
  expect(JSON.stringify(history)).toContain('price');
  expect(JSON.stringify(history)).not.toMatch(/total|margin|"band/);
  await owner('PUT', `/books/${body[0]!.id}`, { price: 1.1 });
});

test.each([
  ['sort_by=-total', ['Cooking', 'Bible', 'Atlas']],
  ['sort_by=total', ['Atlas', 'Bible', 'Cooking']],
  ['sort_by=due', ['Atlas', 'Bible', 'Cooking']],
  ['sort_by=-code', ['Cooking', 'Bible', 'Atlas']],
  ['total=3.3', ['Atlas']],
  ['total_from=4', ['Bible']],
  ['total_to=400.5&sort_by=name', ['Atlas', 'Bible']],
  ['filter={"total":{"$exists":false}}', ['Cooking']],
  ['filter={"total":{"$gt":3.3}}', ['Bible']],
  ['filter={"total":{"$ne":3.3}}&sort_by=name', ['Bible', 'Cooking']],
  ['age=3', ['Atlas']],
  ['band=cheap&sort_by=name', ['Atlas', 'Cooking']],
  ['is_big=1&sort_by=name', ['Bible', 'Cooking']],
  ['filter={"code":{"$contains":"-100"}}', ['Bible']],
  ['filter={"due":{"$gte":"2000-01-01"}}', ['Atlas']],
  ['q=o&sort_by=-total', ['Cooking']],
])('GET /books?%s', async (query, names) => {
  const { status, body } = await owner<{ name: string }[]>('GET', `/books?${query}`);
  expect(status, JSON.stringify(body)).toBe(200);
  expect(body.map(({ name }) => name)).toEqual(names);
});

test.each([
  ['total=much', 'total: \\"much\\" is not a valid value for Total.'],
  ['filter={"total":{"$contains":"3"}}', 'is not supported for Total'],
  ['age=1.5', 'is not a valid value for Age'],
])('GET /books?%s is refused', async (query, message) => {
  const { status, body } = await owner('GET', `/books?${query}`);
  expect(status).toBe(400);
  expect(JSON.stringify(body)).toContain(message);
});

test('a value computed from a hidden field is none', async () => {
  const { body } = await external<object[]>('GET', '/books?sort_by=name');
  expect(body[0]).toMatchObject({ name: 'Atlas', total: 3.3, margin: null });
  expect(body[0]).not.toHaveProperty('cost');
  const { body: found } = await external<object[]>('GET', '/books?filter={"margin":{"$gt":0}}');
  expect(found).toEqual([]);
});

test('days are those of the zone of the caller', async () => {
  const zones = ['Pacific/Kiritimati', 'Pacific/Honolulu'];
  const made = await Promise.all(
    zones.map(async (zone) => {
      const { body } = await owner<{ made_on: string; age: number }[]>('GET', '/books?name=Atlas', undefined, {
        'X-Timezone': zone,
      });
      return body[0]!;
    }),
  );
  expect(Date.parse(made[0]!.made_on) - Date.parse(made[1]!.made_on)).toBe(86_400_000);
  expect(made[0]!.age - made[1]!.age).toBe(1);
});

test('a computed field is exported and documented as read-only', async () => {
  const { body: file } = await owner<string>('GET', '/books-export?format=csv&columns=name,total,band&sort_by=name');
  expect(file.trim().split('\r\n').slice(1)).toEqual(['Atlas,3.3,Cheap', 'Bible,400.5,Dear', 'Cooking,,Cheap']);
  const { body: api } = await owner<{ components: { schemas: Record<string, unknown> } }>('GET', '/openapi.json');
  const own = Object.entries(api.components.schemas).filter(([name]) => name.startsWith('Books'));
  const documented = JSON.stringify(own);
  expect(documented).toMatch(/"total":\{"type":\["?number[^}]*"readOnly":true/);
});

test('the plan says that a field becomes computed', async () => {
  const admin = await demo.signIn(accounts.admin);
  const next = {
    ...books,
    fields: { ...books.fields, cost: { type: 'number', computed: { $add: ['$record.price', 1] } } },
  };
  const planned = await admin('POST', '/modules/books/plan', { definition: next });
  expect(JSON.stringify(planned.body)).toContain('Cost: computed from.');
});
