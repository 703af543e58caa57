import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { sourceOf } from '../../support/definitions';
import { accounts, startFixtureProgram, type Client, type DemoProgram } from '../../support/program';

const directors = sourceOf(
  'directors',
  { name: { required: true }, is_retired: { type: 'boolean' }, salary: { type: 'number' } },
  {
    labels: { one: 'Director', many: 'Directors' },
    scope: 'company',
    rules: [{ levels: [2], action: ['list', 'view'], exceptFields: ['salary'], reason: 'without salaries' }],
  },
);
const books = sourceOf(
  'books',
  {
    name: { required: true },
    shown_on: { type: 'date' },
    held_at: { type: 'datetime' },
    minutes: { type: 'number', integer: true },
    genre: {
      type: 'select',
      options: [
        { value: 'noir', label: 'Noir' },
        { value: 'western', label: 'Western' },
      ],
    },
    director_id: { type: 'relation', to: 'directors' },
    key: { secret: true },
    sequel_of: { type: 'relation', to: 'books' },
    sequels: { type: 'inverse', source: 'books.sequel_of' },
  },
  { labels: { one: 'Book', many: 'Books' }, scope: 'company', export: true },
);

interface Row {
  readonly id: number;
  readonly name: string;
}
interface Answer {
  readonly data?: Row[];
  readonly errors?: Record<string, string>;
  readonly paths?: object;
}

let demo: DemoProgram;
let admin: Client;
let owner: Client;
let restricted: Client;

beforeAll(async () => {
  demo = await startFixtureProgram();
  admin = await demo.signIn(accounts.admin);
  for (const definition of [directors, books]) {
    const made = await admin('POST', '/modules', { definition });
    expect(made.status, JSON.stringify(made.body)).toBe(201);
  }
  owner = await demo.signIn(accounts.owner);
  const create = async (path: string, body: object) => {
    const { status, body: made } = await owner<Row & { data?: Row }>('POST', path, body);
    expect(status, JSON.stringify(made)).toBe(201);
    return (made.data ?? made).id;
  };
  const ada = await create('/directors', { name: 'Ada', is_retired: true });
  const bob = await create('/directors', { name: 'Bob', is_retired: false });
  const today = new Date().toISOString().slice(0, 10);
  const first = await create('/books', {
    name: 'A',
    director_id: ada,
    minutes: 90,
    genre: 'noir',
    shown_on: '1990-01-01',
    held_at: '2026-10-25T01:30:00Z',
  });
  await create('/books', {
    name: 'B',
    director_id: bob,
    minutes: 120,
    genre: 'western',
    shown_on: today,
    held_at: '2026-10-25T23:30:00.250Z',
  });
  await create('/books', { name: 'C', minutes: 60, sequel_of: first });
  const one = await demo.restricted();
  await one.grant(['books.list', 'books.view']);
  restricted = one.call;
});
afterAll(() => demo?.close());

const pathOf = (where: unknown, path = '/books') =>
  `${path}?where=${encodeURIComponent(typeof where === 'string' ? where : JSON.stringify(where))}`;
const namesOf = async (call: Client, path: string, zone = 'UTC') => {
  const { status, body } = await call<Row[] | Answer>('GET', path, undefined, { 'x-timezone': zone });
  expect(status, JSON.stringify(body)).toBe(200);
  return ((Array.isArray(body) ? body : body.data) ?? []).map(({ name }) => name).sort();
};

describe('?where= narrows a list', () => {
  test.each<[object, string[]]>([
    [{}, ['A', 'B', 'C']],
    [{ minutes: { $gt: 60, $lt: 100 } }, ['A']],
    [{ $or: [{ genre: 'western' }, { minutes: 60 }] }, ['B', 'C']],
    [{ $nor: [{ genre: ['noir', 'western'] }] }, ['C']],
    [{ 'director_id.is_retired': true }, ['A']],
    [{ $not: { 'director_id.is_retired': true } }, ['B', 'C']],
    [{ 'sequel_of.director_id.name': 'Ada' }, ['C']],
    [{ 'sequels.minutes': { $lt: 90 } }, ['A']],
    [{ sequels: { $exists: false } }, ['B', 'C']],
    [{ shown_on: { $gte: '$today-7d' } }, ['B']],
    [{ created_by: '$actor.id' }, ['A', 'B', 'C']],
  ])('%j', async (where, names) => expect(await namesOf(owner, pathOf(where))).toEqual(names));

  test.each<[held_at: unknown, zone: string, names: string[]]>([
    ['2026-10-25T01:30:00Z', 'UTC', ['A']],
    ['2026-10-25T03:30:00+02:00', 'UTC', ['A']],
    ['2026-10-25T01:30:00.000000Z', 'UTC', ['A']],
    [['2026-10-25 01:30Z', '2026-10-26T00:30:00.25+0100'], 'UTC', ['A', 'B']],
    [{ $gte: '2026-10-25T01:30:00Z' }, 'UTC', ['A', 'B']],
    [{ $gt: '2026-10-25T01:30:00Z' }, 'UTC', ['B']],
    [{ $lt: '2026-10-25T02:31:00+01:00' }, 'UTC', ['A']],
    [{ $ne: '2026-10-25T03:30:00+02:00' }, 'UTC', ['B', 'C']],
    ['2026-10-25', 'UTC', ['A', 'B']],
    ['2026-10-25', 'Europe/Berlin', ['A']],
    ['2026-10-26', 'Europe/Berlin', ['B']],
    ['2026-10-24', 'America/New_York', ['A']],
    ['2026-10-25', 'America/New_York', ['B']],
    [{ $gt: '2026-10-25' }, 'Europe/Berlin', ['B']],
    [{ $gt: '2026-10-25' }, 'UTC', []],
    [{ $gte: '2026-10-26' }, 'Europe/Berlin', ['B']],
    [{ $lte: '2026-10-25' }, 'Europe/Berlin', ['A']],
    [{ $lt: '2026-10-25' }, 'America/New_York', ['A']],
    [{ $in: ['2026-10-24', '2026-10-25T23:30:00.250Z', null] }, 'America/New_York', ['A', 'B', 'C']],
    [{ $nin: ['2026-10-26', null] }, 'Europe/Berlin', ['A']],
    [{ $exists: false }, 'UTC', ['C']],
  ])('by an instant that is compared with %j in %s', async (held_at, zone, names) => {
    expect(await namesOf(owner, pathOf({ held_at }), zone)).toEqual(names);
  });

  test.each(['UTC', 'Pacific/Kiritimati', 'Pacific/Pago_Pago'])(
    'by the day of now in %s, which what was created just now is of',
    async (zone) => {
      for (const created_at of ['$today', { $gte: '$today' }, { $gt: '$today-1d', $lt: '$today+1d' }]) {
        expect(await namesOf(owner, pathOf({ created_at }), zone), JSON.stringify(created_at)).toEqual(['A', 'B', 'C']);
      }
    },
  );

  test('together with filters, and choices of filters', async () => {
    expect(await namesOf(owner, `${pathOf({ minutes: { $gte: 90 } })}&genre=noir`)).toEqual(['A']);
    const { body } = await owner<{ data: { title: string }[] }>('GET', pathOf({ genre: 'noir' }, '/books/choices'));
    expect(body.data.map(({ title }) => title)).toEqual(['A']);
  });

  test('as a filter, with a range: as calendars load their days', async () => {
    const where = JSON.stringify({ $or: [{ shown_on: { $gte: '1989-12-25', $lte: '1990-01-31' } }, { minutes: 60 }] });
    const path = (filter: object, range: string) =>
      `/books?filter=${encodeURIComponent(JSON.stringify({ ...filter, where }))}&range=${range}&sort=["shown_on","ASC"]`;
    expect(await namesOf(owner, path({}, '[0,199]'))).toEqual(['A', 'C']);
    expect(await namesOf(owner, path({ genre: 'noir' }, '[0,199]'))).toEqual(['A']);
    expect(await namesOf(owner, path({}, '[0,0]'))).toEqual(['A']);
    expect(await namesOf(restricted, path({}, '[0,199]'))).toEqual(['A', 'C']);
  });

  test('as the API document describes', async () => {
    const { body } = await owner<Answer>('GET', '/openapi.json');
    expect(JSON.stringify(body)).toContain('"name":"where"');
  });
});

/** A condition with so many others within it. */
const negated = (levels: number): object => (levels === 0 ? { minutes: 60 } : { $not: negated(levels - 1) });

test('a condition within 16 others narrows a list', async () => {
  expect(await namesOf(owner, pathOf(negated(16)))).toEqual(['C']);
});

test('a filter that is nested too deeply is refused like a condition', async () => {
  const filter = `${'{"minutes":'.repeat(8_000)}1${'}'.repeat(8_000)}`;
  expect(await owner<Answer>('GET', `/books?filter=${encodeURIComponent(filter)}`)).toMatchObject({
    status: 422,
    body: { errors: { filter: 'filter is nested too deeply: at most 64 levels are read.' } },
  });
});

describe('a wrong ?where= is refused at its place', () => {
  test.each<[unknown, string, string]>([
    ['{', 'where', 'where must be a condition as JSON'],
    [[1], 'where', 'A condition is an object'],
    [negated(17), `where${'/$not'.repeat(17)}`, 'This condition is nested too deeply: at most 16 levels.'],
    [
      `${'{"$not":'.repeat(8_000)}{}${'}'.repeat(8_000)}`,
      'where',
      'where is nested too deeply: at most 64 levels are read.',
    ],
    [{ nam: 1 }, 'where', 'Books have no field "nam" that you may read.'],
    [{ key: 'x' }, 'where', 'Books have no field "key" that you may read.'],
    [{ 'director_id.salary': { $gt: 1 } }, 'where', 'Directors have no field "salary" that you may read.'],
    [{ 'name.x': 1 }, 'where', 'A path or $some needs a field with related records'],
    [{ minutes: 'long' }, 'where', '"minutes" can never be "long": it is of type number.'],
    [{ genre: 'drama' }, 'where', '"genre" can never be "drama"'],
    [{ held_at: { $gt: '2026' } }, 'where', '"held_at" can never be "2026": write a time as 2026-01-31T14:30:00Z'],
    [{ held_at: '2026-02-30' }, 'where', '"held_at" can never be "2026-02-30"'],
    [{ held_at: '2026-10-25T01:30:00' }, 'where', '"held_at" can never be "2026-10-25T01:30:00"'],
    [{ shown_on: { $gt: '2026' } }, 'where', '"shown_on" can never be "2026": write a day as 2026-01-31.'],
    [{ shown_on: '$form.day' }, 'where', '"$form.day" has no value here.'],
    [{ shown_on: '$today+1x' }, 'where', '"$today+1x" has no value here.'],
    [{ minutes: { $like: 1 } }, 'where/minutes/$like', 'Unknown operator $like.'],
    [{ $or: { minutes: 1 } }, 'where/$or', 'This must be a list of conditions.'],
    [
      { id: { $in: Array.from({ length: 9 }, () => 1) }, $and: Array.from({ length: 101 }, () => ({ id: 1 })) },
      'where',
      'At most 100',
    ],
  ])('%j', async (where, place, message) => {
    const { status, body } = await owner<Answer>('GET', pathOf(where));
    expect(status, JSON.stringify(body)).toBe(422);
    expect(body.errors?.[place]).toContain(message);
  });

  test('a condition on records that the caller may not list is refused', async () => {
    expect(await restricted<Answer>('GET', pathOf({ 'director_id.name': 'Ada' }))).toMatchObject({
      status: 422,
      body: { errors: { where: 'You may not list Directors, so "director_id" cannot be tested here.' } },
    });
    expect(await namesOf(restricted, pathOf({ genre: 'noir' }))).toEqual(['A']);
  });
});
