// @module-tag slow
import fc from 'fast-check';
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { Condition } from '../../../src/engine/definitions/definition';
import type { Source } from '../../../src/engine/language/source';
import { sourceOf } from '../../support/definitions';
import { accounts, startFixtureProgram, type Client, type DemoProgram } from '../../support/program';

const places = sourceOf(
  'places-of-origin',
  { name: { type: 'text', required: true }, tax: { type: 'number', digits: 1 }, joined_on: { type: 'date' } },
  { scope: 'company', grants: { '6': 'none' } },
);
const publishers: Source = sourceOf(
  'publishers',
  {
    name: { type: 'text', required: true },
    place_id: { type: 'relation', to: 'places-of-origin' },
    place: { type: 'lookup', source: 'place_id.name' },
    tax: { type: 'lookup', source: 'place_id.tax' },
    made: { type: 'rollup', source: 'books.publisher_id', aggregate: 'count' },
    won: { type: 'rollup', source: 'books.publisher_id', aggregate: 'sum', field: 'income', where: { state: 'won' } },
    mean: { type: 'rollup', source: 'books.publisher_id', aggregate: 'avg', field: 'income' },
    least: { type: 'rollup', source: 'books.publisher_id', aggregate: 'min', field: 'income' },
    last_day: { type: 'rollup', source: 'books.publisher_id', aggregate: 'max', field: 'shown_on' },
    rate: { type: 'rollup', source: 'books.publisher_id', aggregate: 'share', where: { state: 'won' } },
    last_state: {
      type: 'rollup',
      source: 'books.publisher_id',
      aggregate: 'latest',
      field: 'state',
      latestBy: 'shown_on',
    },
    minutes: { type: 'rollup', source: 'books.publisher_id', aggregate: 'sum', field: 'length' },
    seats: { type: 'rollup', source: 'books.publisher_id', aggregate: 'sum', field: 'seats' },
    mean_seats: { type: 'rollup', source: 'books.publisher_id', aggregate: 'avg', field: 'seats' },
    paid: { type: 'rollup', source: 'books.publisher_id', aggregate: 'sum', field: 'fee' },
    secret_sum: { type: 'rollup', source: 'books.publisher_id', aggregate: 'sum', field: 'budget' },
    after_tax: {
      type: 'number',
      digits: 2,
      computed: { $multiply: ['$record.won', { $subtract: [1, { $divide: ['$record.tax', 100] }] }] },
    },
  },
  {
    scope: 'company',
    list: { filters: { place: {}, won: { range: true } } },
    export: true,
    import: {},
    grants: { '6': 'read', '5': 'read' },
  },
);
const books: Source = sourceOf(
  'books',
  {
    name: { type: 'text', required: true },
    publisher_id: { type: 'relation', to: 'publishers' },
    income: { type: 'number' },
    budget: { type: 'number' },
    state: { type: 'select', options: ['won', 'lost'].map((value) => ({ value, label: value })) },
    shown_on: { type: 'date' },
    starts: { type: 'time' },
    ends: { type: 'time' },
    length: { type: 'duration', startField: 'starts', endField: 'ends' },
    fee: { type: 'number', decimal: true },
    seats: { type: 'number', integer: true },
    origin: { type: 'lookup', source: 'publisher_id.place_id.name' },
    of_publisher: { type: 'lookup', source: 'publisher_id.won' },
  },
  {
    scope: 'company',
    archive: true,
    grants: { '6': 'read', '5': 'read' },
    rules: [
      { levels: [6], action: ['list', 'view'], where: { state: 'won' } },
      { levels: [5], action: ['list', 'view'], exceptFields: ['budget'] },
    ],
  },
);

type Row = Record<string, unknown> & { id: number };

let demo: DemoProgram;
let admin: Client;
let owner: Client;
let callers: readonly (readonly [string, Client])[];

const made = async (path: string, body: object): Promise<number> => {
  const { status, body: record } = await owner<Row>('POST', path, body);
  expect(status, JSON.stringify(record)).toBe(201);
  return record.id;
};

beforeAll(async () => {
  demo = await startFixtureProgram();
  admin = await demo.signIn(accounts.admin);
  owner = await demo.signIn(accounts.owner);
  callers = [
    ['owner', owner],
    ['level 5', await demo.signIn(accounts.qa)],
    ['level 6', await demo.signIn(accounts.external)],
    ['another company', await demo.signIn(accounts.harbour)],
  ];
  // Each needs another one, so the first version of the publishers has no rollups yet.
  const { name, place_id, place, tax } = publishers.fields;
  const barePublishers = {
    ...publishers,
    list: {},
    fields: { name: name!, place_id: place_id!, place: place!, tax: tax! },
  };
  const bareBooks = { ...books, fields: { ...books.fields } };
  delete bareBooks.fields.of_publisher;
  for (const definition of [places, barePublishers, bareBooks]) {
    const answer = await admin('POST', '/modules', { definition });
    expect(answer.status, JSON.stringify(answer.body)).toBe(201);
  }
  for (const definition of [publishers, books]) {
    const answer = await admin('PUT', `/modules/${definition.name}`, { definition, version: 1 });
    expect(answer.status, JSON.stringify(answer.body)).toBe(200);
  }
  const chile = await made('/places-of-origin', { name: 'Chile', tax: 10 });
  const first = await made('/publishers', { name: 'Chilean First', place_id: chile });
  const second = await made('/publishers', { name: 'Chilean Second', place_id: chile });
  await made('/publishers', { name: 'Chilean Third' });
  await made('/books', {
    name: 'C1',
    publisher_id: first,
    income: 5.5,
    state: 'won',
    budget: 1,
    shown_on: '2026-01-01',
  });
  await made('/books', { name: 'C2', publisher_id: second, income: 7, state: 'won', shown_on: '2026-01-02' });
  await made('/books', { name: 'C3', publisher_id: second, income: 9, state: 'lost', shown_on: '2026-01-03' });
});
afterAll(() => demo?.close());

const sum = (values: readonly number[]) => values.reduce((all, one) => all + Math.round(one * 100), 0) / 100;

/** What a publisher's values must be, from the books that the same user lists. */
function recount(listed: readonly Row[], publisher: Row) {
  const own = listed.filter((book) => (book.publisher_id as Row | number | null) === publisher.id);
  const incomes = own.flatMap(({ income }) => (income === null ? [] : [income as number]));
  const won = own.filter(({ state }) => state === 'won');
  const days = own.flatMap(({ shown_on }) => (shown_on === null ? [] : [shown_on as string])).sort();
  const latest = own
    .filter(({ shown_on }) => shown_on !== null)
    .sort((a, b) => String(a.shown_on).localeCompare(String(b.shown_on)) || a.id - b.id)
    .at(-1);
  return {
    made: own.length,
    won: sum(won.flatMap(({ income }) => (income === null ? [] : [income as number]))),
    least: incomes.length === 0 ? null : Math.min(...incomes),
    last_day: days.at(-1) ?? null,
    last_state: latest?.state ?? null,
  };
}

test('rollups equal a naive recount of what the same user lists', { timeout: 120_000 }, async () => {
  const book = fc.record({
    income: fc.option(fc.constantFrom(0.1, 0.2, 1, 12.25, -3), { nil: null }),
    state: fc.constantFrom('won', 'lost', null),
    shown_on: fc.constantFrom('2026-01-31', '2026-02-01', '2025-12-31', null),
    budget: fc.constantFrom(1, 2),
  });
  const place = await made('/places-of-origin', { name: 'Austria', tax: 20 });
  await fc.assert(
    fc.asyncProperty(fc.array(book, { maxLength: 8 }), async (written) => {
      const publisher = await made('/publishers', { name: 'S', place_id: place });
      for (const one of written) await made('/books', { name: 'F', publisher_id: publisher, ...one });
      for (const [who, call] of callers) {
        const { body: listed } = await call<Row[]>('GET', '/books?range=[0,9999]');
        const { body: found } = await call<Row[]>('GET', `/publishers?filter={"id":${publisher}}`);
        if (who === 'another company') {
          expect([listed, found]).toEqual([[], []]);
          continue;
        }
        const expected = recount(listed, found[0]!);
        expect(found[0], who).toMatchObject(expected);
        const { body: alone } = await call<Row>('GET', `/publishers/${publisher}`);
        expect(alone, who).toMatchObject(expected);
        // Several over the same rows are read together, one has a subquery of its own.
        for (const name of Object.keys(publishers.fields).filter((one) => publishers.fields[one]!.type === 'rollup')) {
          const { body: one } = await call<Row>('GET', `/publishers/${publisher}?fields=${name}`);
          expect(one[name], `${who}: ${name}`).toEqual(alone[name]);
        }
        const { body: filtered } = await call<Row[]>(
          'GET',
          `/publishers?filter={"id":${publisher},"won":${expected.won},"made":${expected.made}}&sort_by=-won`,
        );
        expect(
          filtered.map(({ id }) => id),
          who,
        ).toEqual([publisher]);
      }
    }),
    { numRuns: 8, endOnFailure: true },
  );
});

test('derived values of each role; what is hidden counts as nothing', async () => {
  const place = await made('/places-of-origin', { name: 'Belgium', tax: 50 });
  const publisher = await made('/publishers', { name: 'Two', place_id: place });
  await made('/books', {
    name: 'A',
    publisher_id: publisher,
    income: 10,
    budget: 3,
    state: 'won',
    shown_on: '2026-01-01',
  });
  const lost = await made('/books', { name: 'B', publisher_id: publisher, income: 5, budget: 4, state: 'lost' });
  const archived = await made('/books', { name: 'C', publisher_id: publisher, income: 100, state: 'won' });
  await owner('DELETE', `/books/${archived}`);
  const of = async (call: Client) => (await call<Row>('GET', `/publishers/${publisher}`)).body;
  const all = { made: 2, won: 10, mean: 7.5, rate: 50, secret_sum: 7, tax: 50, after_tax: 5, place: 'Belgium' };
  expect(await of(owner)).toMatchObject(all);
  expect(await of(callers[1]![1])).toMatchObject({ made: 2, won: 10, secret_sum: null });
  expect(await of(callers[2]![1])).toMatchObject({
    made: 1,
    won: 10,
    rate: 100,
    place: null,
    tax: null,
    after_tax: null,
  });
  const found = async (call: Client, query: string) =>
    (await call<Row[]>('GET', `/books?${query}`)).body.map(({ name }) => name);
  expect(await found(owner, 'origin=Belgium&sort_by=name')).toEqual(['A', 'B']);
  expect(await found(owner, `filter={"of_publisher":{"$gt":9},"publisher_id":${publisher}}&sort_by=-name`)).toEqual([
    'B',
    'A',
  ]);
  expect(await found(callers[2]![1], 'origin=Belgium')).toEqual([]);
  // What is written is ignored; the answer of a write has the values too.
  const changed = await owner('PUT', `/books/${lost}`, { state: 'won', origin: 'Nowhere' });
  expect(changed).toMatchObject({ status: 200, body: { origin: 'Belgium', of_publisher: 15 } });
  // Files have what lists have: what the same user may list.
  const exported = async (call: Client) => {
    const { body } = await call<string>('GET', '/publishers-export?format=csv&columns=name,place,made,rate&name=Two');
    return body.trim().split('\r\n')[1];
  };
  expect(await exported(owner)).toBe('Two,Belgium,2,100');
  await owner('PUT', `/books/${lost}`, { state: 'lost' });
  expect(await exported(owner)).toBe('Two,Belgium,2,50');
  expect(await exported(callers[2]![1])).toBe('Two,,1,100');
});

test('a new record is answered as it is read: nothing points to it yet', async () => {
  const { status, body } = await owner<Row>('POST', '/publishers', { name: 'New' });
  expect(status).toBe(201);
  expect((await owner('GET', `/publishers/${body.id}`)).body).toEqual(body);
  expect(body).toMatchObject({
    made: 0,
    won: 0,
    mean: null,
    least: null,
    last_day: null,
    rate: null,
    last_state: null,
  });
});

test('durations are taken as minutes, exact numbers stay exact', async () => {
  const publisher = await made('/publishers', { name: 'Exact' });
  await made('/books', {
    name: 'A',
    publisher_id: publisher,
    starts: '10:00',
    ends: '11:30',
    fee: 0.1,
    seats: 2147483647,
  });
  await made('/books', { name: 'B', publisher_id: publisher, starts: '22:00', ends: '22:15', fee: 0.2, seats: 2 });
  const { body } = await owner<Row>('GET', `/publishers/${publisher}`);
  expect(body).toMatchObject({ minutes: 105, paid: 0.3, seats: 2147483649, mean_seats: 1073741824.5 });
  const { body: found } = await owner<Row[]>(
    'GET',
    '/publishers?where={"paid":0.3,"minutes":105,"seats":2147483649,"mean_seats":1073741824.5}',
  );
  expect(found.map(({ id }) => id)).toEqual([publisher]);
});

test.each([
  ['where={"won":{"$gt":4}}&sort_by=-won', ['Second', 'First']],
  ['where={"rate":50}', ['Second']],
  ['where={"place_id.name":"Chile","made":{"$gte":1}}&sort_by=won', ['First', 'Second']],
  ['won_from=5&won_to=6', ['First']],
  ['sort_by=last_day', ['First', 'Second', 'Third']],
  ['sort_by=-tax&fields=name', ['Third', 'Second', 'First']],
  ['filter={"made":0}', ['Third']],
  ['filter={"least":{"$exists":false}}', ['Third']],
  ['filter={"last_state":"lost"}', ['Second']],
])('GET /publishers?%s', async (query, names) => {
  const { status, body } = await owner<Row[]>('GET', `/publishers?q=Chilean&${query}`);
  expect(status, JSON.stringify(body)).toBe(200);
  expect(body.map(({ name }) => String(name).split(' ')[1])).toEqual(names);
});

test('a caller finds nothing by what is hidden from them', async () => {
  const count = async (call: Client, query: string) =>
    (await call<Row[]>('GET', `/publishers?q=Chilean&${query}`)).body;
  expect(await count(callers[1]![1], 'where={"secret_sum":{"$gte":0}}')).toEqual([]);
  expect(await count(callers[2]![1], 'where={"tax":{"$gt":0}}')).toEqual([]);
  expect(await count(callers[2]![1], 'filter={"made":2}')).toEqual([]);
});

test('derived values have no history, are no columns of imports, and are documented as read-only', async () => {
  const { body } = await owner<Row[]>('GET', '/publishers?name=Chilean First');
  await owner('PUT', `/publishers/${body[0]!.id}`, { name: 'Chilean First', won: 987_654, place: 'Peru', made: 3 });
  const { body: history } = await owner('GET', `/publishers/${body[0]!.id}/history`);
  expect(JSON.stringify(history)).not.toMatch(/Won|Peru|987654/);
  const columns = demo.program.definitions.registry().getOrThrow('publishers').import!.columns;
  expect(JSON.stringify(columns)).toContain('place_id');
  expect(JSON.stringify(columns)).not.toMatch(/won|"place"|made/);
  const { body: api } = await owner<{ components: { schemas: Record<string, unknown> } }>('GET', '/openapi.json');
  const documented = JSON.stringify(
    Object.entries(api.components.schemas).filter(([name]) => /^Publishers/.test(name)),
  );
  for (const name of ['won', 'place', 'last_state', 'last_day', 'rate'])
    expect(documented).toMatch(new RegExp(`"${name}":\\{[^}]*"readOnly":true`));
});

test.each([
  [{ type: 'lookup', source: 'place_id.nam' }, 'Did you mean \\"name\\"?'],
  [{ type: 'lookup', source: 'place_id' }, 'A lookup follows a relation'],
  [{ type: 'lookup', source: 'name.place' }, 'a lookup follows relations to one record'],
  [{ type: 'lookup', source: 'place_id.site_id' }, 'which is not a single value'],
  [{ type: 'rollup', source: 'books.publisher_id', aggregate: 'sum' }, '\\"sum\\" needs \\"field\\"'],
  [{ type: 'rollup', source: 'books.publisher_id', aggregate: 'sum', field: 'name' }, '\\"sum\\" takes numbers'],
  [{ type: 'rollup', source: 'books.created_by', aggregate: 'count' }, 'points to users, not to publishers'],
  [{ type: 'rollup', source: 'books.publisher_id', aggregate: 'share' }, '\\"share\\" needs \\"where\\"'],
  [
    { type: 'rollup', source: 'books.publisher_id', aggregate: 'count', where: { stat: 1 } },
    'Unknown field \\"stat\\" in books',
  ],
  [{ type: 'rollup', source: 'books.publisher_id', aggregate: 'max', field: 'of_publisher' }, 'It is made from itself'],
  [
    { type: 'rollup', source: 'books.publisher_id', aggregate: 'count', where: { 'publisher_id.won': 1 } },
    'It is made from itself: publishers.won → publishers.won',
  ],
  [
    { type: 'rollup', source: 'books.publisher_id', aggregate: 'count', where: { name: '$record.name' } },
    'A condition in an expression or rollup cannot compare with $record.name',
  ],
  [
    { type: 'lookup', source: 'place_id.name', aggregate: 'sum' },
    'A field of type lookup has no property \\"aggregate\\"',
  ],
])('%j is refused', async (won, message) => {
  const definition = { ...publishers, list: {}, fields: { ...publishers.fields, won } };
  delete (definition.fields as Record<string, unknown>).after_tax;
  const { body } = await admin('POST', '/modules/publishers/plan', { definition });
  expect(JSON.stringify(body)).toContain(message);
});

test.each([
  ['the sum', { won: { $gt: 1 } }],
  ['what is computed from it', { is_big: true }],
])('a rule accepts what is computed from other records, for which it counts all of them: %s', async (_what, where) => {
  const definition = {
    ...publishers,
    fields: { ...publishers.fields, is_big: { type: 'boolean', computed: { won: { $gt: 5 } } } },
    rules: [{ levels: [6], action: ['list'], where }],
  };
  expect(await admin('POST', '/modules/publishers/plan', { definition })).toMatchObject({ status: 200 });
});

test('a field that a rollup takes cannot be removed', async () => {
  const fields = { ...books.fields };
  delete fields.income;
  const { body } = await admin('POST', '/modules/books/plan', { definition: { ...books, fields } });
  expect(JSON.stringify(body)).toContain('income');
  const answer = await admin('PUT', '/modules/books', { definition: { ...books, fields }, version: 2, confirm: true });
  expect(answer.status, JSON.stringify(answer.body)).toBe(422);
  expect((await owner('GET', '/publishers')).status).toBe(200);
});

test('a rollup of rollups counts for each role what its rules allow through the relation that joins the records', async () => {
  const rules = (where: Condition): Partial<Source> => ({
    scope: 'company',
    grants: { '5': 'read' },
    rules: [{ levels: [5], action: ['list'], where }],
  });
  const counties = (fields: Source['fields'] = {}) =>
    sourceOf('counties', { name: { type: 'text', required: true }, open: { type: 'boolean' }, ...fields }, rules({}));
  const towns = (fields: Source['fields'] = {}) =>
    sourceOf(
      'towns',
      {
        name: { type: 'text', required: true },
        open: { type: 'boolean' },
        county_id: { type: 'relation', to: 'counties' },
        ...fields,
      },
      rules({ 'county_id.open': true }),
    );
  const houses = sourceOf(
    'houses',
    { name: { type: 'text', required: true }, town_id: { type: 'relation', to: 'towns' } },
    rules({ 'town_id.open': true }),
  );
  for (const definition of [counties(), towns(), houses]) {
    const answer = await admin('POST', '/modules', { definition });
    expect(answer.status, JSON.stringify(answer.body)).toBe(201);
  }
  const counted = { type: 'rollup', source: 'houses.town_id', aggregate: 'count' } as const;
  const summed = { type: 'rollup', source: 'towns.county_id', aggregate: 'sum', field: 'houses' } as const;
  for (const definition of [towns({ houses: counted }), counties({ houses: summed })]) {
    const answer = await admin('PUT', `/modules/${definition.name}`, { definition, version: 1 });
    expect(answer.status, JSON.stringify(answer.body)).toBe(200);
  }
  for (const county of ['open', 'closed']) {
    const countyId = await made('/counties', { name: county, open: county === 'open' });
    for (const town of ['open', 'closed']) {
      const townId = await made('/towns', { name: town, open: town === 'open', county_id: countyId });
      for (const house of [1, 2]) await made('/houses', { name: `House ${house}`, town_id: townId });
    }
  }
  const sums = async (client: Client) => {
    const { status, body } = await client<Row[]>('GET', '/counties?sort_by=name');
    expect(status, JSON.stringify(body)).toBe(200);
    return body.map(({ name, houses: sum }) => [name, sum]);
  };
  const [, [, qa]] = callers as [unknown, readonly [string, Client]];
  expect(await sums(owner)).toEqual([
    ['closed', 4],
    ['open', 4],
  ]);
  expect(await sums(qa)).toEqual([
    ['closed', 0],
    ['open', 2],
  ]);
});
