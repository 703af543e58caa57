// @module-tag slow
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { matchesPredicate, predicateOf } from '../../../src/engine/conditions/match-condition';
import { startFixtureProgram, accounts, type Client, type DemoProgram } from '../../support/program';

type Line = Record<string, unknown> & { id: number; action: string };
type Sheet = { id: number; updated_at: string; name: string; lines: Line[] };
type Answer = { data: Sheet };

let demo: DemoProgram;
let owner: Client;
let lead: Client;
let other: Client;

beforeAll(async () => {
  demo = await startFixtureProgram();
  [owner, lead, other] = (await Promise.all([accounts.owner, accounts.qa, accounts.harbour].map(demo.signIn))) as [
    Client,
    Client,
    Client,
  ];
});
afterAll(() => demo?.close());

const make = async (lines: unknown, call = owner) => {
  const { status, body } = await call<Answer>('POST', '/call-sheets', { name: 'Day', lines });
  expect(status, JSON.stringify(body)).toBe(201);
  return body.data;
};
const read = async (id: number) => (await owner<Answer>('GET', `/call-sheets/${id}`)).body.data;
const change = async (id: number, body: object, call = owner) => call<Answer>('PUT', `/call-sheets/${id}`, body);
const actionsOf = ({ lines }: Sheet) => lines.map(({ action }) => action);

describe('rows in their record', () => {
  test('are stored in their order, each with its typed columns, and are read with their ids', async () => {
    const { body: genres } = await owner<{ data: { id: number; option_name: string }[] }>('GET', '/genres');
    const genre = genres.data[0]!;
    const sheet = await make([
      { action: 'Set up', amount: 12.5, starts_at: '08:00', ends_at: '09:30', genre_id: genre.id },
      { action: 'Shoot', expected: 'Two\nlines', place: 'outside', confirmed: true, ready_at: '2026-11-16T14:30:00Z' },
    ]);
    const expected = [
      {
        id: expect.any(Number),
        action: 'Set up',
        expected: null,
        amount: 12.5,
        starts_at: '08:00',
        ends_at: '09:30',
        length: '1.30',
        place: 'studio',
        confirmed: null,
        ready_at: null,
        genre_id: genre.id,
        genre: { id: genre.id, option_name: genre.option_name },
      },
      {
        id: expect.any(Number),
        action: 'Shoot',
        expected: 'Two\nlines',
        amount: null,
        starts_at: null,
        ends_at: null,
        length: null,
        place: 'outside',
        confirmed: true,
        ready_at: '2026-11-16T14:30:00.000Z',
        genre_id: null,
        genre: null,
      },
    ];
    expect(sheet.lines).toEqual(expected);
    expect((await read(sheet.id)).lines).toEqual(expected);
  });

  test('are counted in lists, and there only if they are asked for', async () => {
    const sheet = await make([{ action: 'One' }, { action: 'Two' }]);
    const list = async (query: string) =>
      (await owner<{ data: Sheet[] }>('GET', `/call-sheets?id=${sheet.id}${query}`)).body.data[0];
    const plain = await list('');
    expect(plain).toMatchObject({ lines_count: 2 });
    expect(plain).not.toHaveProperty('lines');
    expect(await list('&fields=lines')).toEqual({
      id: sheet.id,
      lines: [expect.objectContaining({ action: 'One' }), expect.objectContaining({ action: 'Two' })],
    });
  });

  test('a change replaces them: a known id keeps the row, the place in the list is its place, missing ones go', async () => {
    const sheet = await make([{ action: 'A', amount: 1 }, { action: 'B' }, { action: 'C' }]);
    const [a, b, c] = sheet.lines.map(({ id }) => id) as [number, number, number];
    const { status, body } = await change(sheet.id, { lines: [{ id: c }, { action: 'New' }, { id: a, action: 'A2' }] });
    expect(status).toBe(200);
    expect(actionsOf(body.data)).toEqual(['C', 'New', 'A2']);
    expect(body.data.lines.map(({ id }) => id)).toEqual([c, expect.any(Number), a]);
    expect(body.data.lines[2]).toMatchObject({ id: a, amount: 1 });
    expect([a, b, c]).not.toContain(body.data.lines[1]!.id);
    expect(await read(sheet.id)).toMatchObject({ lines: body.data.lines });
  });

  test('left out they stay, null and an empty list empty them', async () => {
    const sheet = await make([{ action: 'A' }]);
    expect(actionsOf((await change(sheet.id, { name: 'Other' })).body.data)).toEqual(['A']);
    expect((await change(sheet.id, { lines: [] })).body.data.lines).toEqual([]);
    await change(sheet.id, { lines: [{ action: 'B' }] });
    expect((await change(sheet.id, { lines: null })).body.data.lines).toEqual([]);
  });

  test('the version of the record is the version of its rows', async () => {
    const sheet = await make([{ action: 'A' }]);
    const first = await change(sheet.id, { lines: [{ action: 'B' }], updated_at: sheet.updated_at });
    expect(first.status).toBe(200);
    expect(first.body.data.updated_at > sheet.updated_at).toBe(true);
    const second = await change(sheet.id, { lines: [{ action: 'C' }], updated_at: sheet.updated_at });
    expect(second.status).toBe(409);
    expect(actionsOf(await read(sheet.id))).toEqual(['B']);
  });

  test('the same rows again are no change', async () => {
    const sheet = await make([{ action: 'A', amount: 2 }, { action: 'B' }]);
    const { body } = await change(sheet.id, { lines: sheet.lines });
    expect(body.data.updated_at).toBe(sheet.updated_at);
  });
});

describe('faults in rows', () => {
  test.each<[string, unknown, Record<string, string>]>([
    ['a required cell', [{ action: 'A' }, {}], { 'lines[1].action': 'Action is required.' }],
    ['a wrong type', [{ action: 'A', amount: 'much' }], { 'lines[0].amount': 'Amount must be a number.' }],
    ['decimals', [{ action: 'A', amount: 1.234 }], { 'lines[0].amount': 'Amount must have at most 2 decimals.' }],
    ['a limit', [{ action: 'A', amount: -1 }], { 'lines[0].amount': 'Amount must be at least 0.' }],
    ['a text', [{ action: { a: 1 } }], { 'lines[0].action': 'Action must be text.' }],
    ['a choice', [{ action: 'A', place: 'mars' }], { 'lines[0].place': 'Place: this choice is not available.' }],
    ['a column', [{ action: 'A', colour: 'red' }], { 'lines[0].colour': 'Unknown property colour.' }],
    [
      'a relation',
      [{ action: 'A', genre_id: 999_999 }],
      { 'lines[0].genre_id': 'Genre: this choice is not available.' },
    ],
    [
      'an order of cells',
      [{ action: 'A', starts_at: '10:00', ends_at: '09:00' }],
      { 'lines[0].ends_at': 'Ends At must not be before Starts At (10:00).' },
    ],
    ['a row', [{ action: 'A' }, 'B'], { 'lines[1]': 'Lines: each row is an object with the values of its columns.' }],
    ['a list', 'A', { lines: 'Lines must be a list.' }],
    [
      'the number of rows',
      Array.from({ length: 51 }, () => ({ action: 'A' })),
      { lines: 'Lines must have at most 50 entries.' },
    ],
    [
      'text that PostgreSQL cannot store',
      [{ action: 'a\0b' }],
      { 'lines[0].action': 'Action contains characters that are not allowed.' },
    ],
  ])('%s is named by its place', async (_what, lines, errors) => {
    const refused = await owner<{ errors: object }>('POST', '/call-sheets', { name: 'Wrong', lines });
    expect([refused.status, refused.body.errors]).toEqual([422, errors]);
    const sheet = await make([{ action: 'Kept' }]);
    const changed = await owner<{ errors: object }>('PUT', `/call-sheets/${sheet.id}`, { name: 'Wrong', lines });
    expect([changed.status, changed.body.errors]).toEqual([422, errors]);
    expect(await read(sheet.id)).toEqual(sheet);
  });

  test('ids of rows of another record, unknown ones and repeated ones change nothing', async () => {
    const [mine, theirs] = [await make([{ action: 'Mine' }]), await make([{ action: 'Theirs' }])];
    const [own, foreign] = [mine.lines[0]!.id, theirs.lines[0]!.id];
    const wrong = await owner<{ errors: object }>('PUT', `/call-sheets/${mine.id}`, {
      lines: [{ id: own }, { action: 'New' }, { id: foreign, action: 'Taken' }, { id: own }, { id: 'x', action: 'X' }],
    });
    expect([wrong.status, wrong.body.errors]).toEqual([
      422,
      {
        'lines[2].id': `Lines: there is no row ${foreign} here. Leave the id of a new row out.`,
        'lines[3].id': `Lines: the row ${own} is there twice.`,
        'lines[4].id': 'Lines: the id of a row is a number.',
      },
    ]);
    expect(await read(mine.id)).toEqual(mine);
    expect(await read(theirs.id)).toEqual(theirs);
  });

  test('faults of many records name the record too', async () => {
    const sheet = await make([{ action: 'A' }]);
    const { status, body } = await owner<{ errors: object }>('POST', '/call-sheets/bulk', {
      create: [
        { name: 'One', lines: [{ action: 'A' }] },
        { name: 'Two', lines: [{ amount: 1 }, { action: 'A', genre_id: 999_999 }] },
      ],
      update: [{ id: sheet.id, lines: [{ action: '' }] }],
    });
    expect([status, body.errors]).toEqual([
      422,
      {
        'update[0].lines[0].action': 'Action is required.',
        'create[1].lines[0].action': 'Action is required.',
        'create[1].lines[1].genre_id': 'Genre: this choice is not available.',
      },
    ]);
    expect(await read(sheet.id)).toEqual(sheet);
  });
});

test('many records are created and changed with their rows in one call', async () => {
  const sheet = await make([{ action: 'A' }, { action: 'B' }]);
  const { status, body } = await owner<{ data: { created: Sheet[]; updated: Sheet[] } }>('POST', '/call-sheets/bulk', {
    create: [{ name: 'One', lines: [{ action: 'X' }, { action: 'Y' }] }, { name: 'Two' }],
    update: [{ id: sheet.id, lines: [{ id: sheet.lines[1]!.id }] }],
  });
  expect(status, JSON.stringify(body)).toBe(200);
  expect(body.data.created.map(actionsOf)).toEqual([['X', 'Y'], []]);
  expect(body.data.updated.map(({ lines }) => lines.map(({ id }) => id))).toEqual([[sheet.lines[1]!.id]]);
});

test('rows sent with a new record are new, whatever their ids', async () => {
  const sheet = await make([{ action: 'A' }]);
  const copy = await make(sheet.lines.map(({ length: _length, genre: _genre, ...line }) => line));
  expect(actionsOf(copy)).toEqual(['A']);
  expect(copy.lines[0]!.id).not.toBe(sheet.lines[0]!.id);
  expect(await read(sheet.id)).toEqual(sheet);
});

test('whoever may not change the field changes no row, and nobody reaches the rows of another company', async () => {
  const sheet = await make([{ action: 'A' }]);
  const refused = await lead('PUT', `/call-sheets/${sheet.id}`, { lines: [] });
  expect(refused.status).toBe(403);
  expect((await lead('PUT', `/call-sheets/${sheet.id}`, { name: 'Renamed' })).status).toBe(200);
  expect((await other('PUT', `/call-sheets/${sheet.id}`, { lines: [] })).status).toBe(404);
  const theirs = await make([{ action: 'Theirs' }], other);
  const stolen = await other('PUT', `/call-sheets/${theirs.id}`, {
    lines: [{ id: sheet.lines[0]!.id, action: 'Mine now' }],
  });
  expect(stolen.status).toBe(422);
  expect(actionsOf(await read(sheet.id))).toEqual(['A']);
});

test('rows go with their record', async () => {
  const sheet = await make([{ action: 'A' }, { action: 'B' }]);
  const count = async () =>
    (
      await demo.program.database.pool.query<{ n: number }>(
        `select count(*)::integer as n from call_sheets__lines where parent_id = ${sheet.id}`,
      )
    ).rows[0]!.n;
  expect(await count()).toBe(2);
  expect((await owner('DELETE', `/call-sheets/${sheet.id}`)).status).toBe(200);
  expect(await count()).toBe(0);
});

test('the choices of a column are those that its cells may have', async () => {
  const { status, body } = await owner<{ data: { id: number; title: string }[] }>(
    'GET',
    '/call-sheets/choices/lines.genre_id?range=[0,4]',
  );
  expect([status, body.data.length > 0]).toEqual([200, true]);
  for (const { id } of body.data)
    expect((await make([{ action: 'A', genre_id: id }])).lines[0]).toMatchObject({ genre_id: id });
  for (const place of ['lines.nothing', 'lines.action', 'name.x', 'lines'])
    expect((await owner('GET', `/call-sheets/choices/${place}`)).status).toBe(404);
});

test('history has the rows before and after, with the titles of records that they refer to', async () => {
  const { body } = await owner<{ data: { id: number; option_name: string }[] }>('GET', '/genres?range=[0,0]');
  const genre = body.data[0]!;
  const sheet = await make([{ action: 'A', starts_at: '08:00', ends_at: '09:30' }]);
  await change(sheet.id, { lines: [{ id: sheet.lines[0]!.id, genre_id: genre.id }, { action: 'B' }] });
  const { body: history } = await owner<{ data: Record<string, Record<string, unknown>>[] }>(
    'GET',
    `/call-sheets/${sheet.id}/history?names=1`,
  );
  const stored = {
    id: sheet.lines[0]!.id,
    action: 'A',
    starts_at: '08:00',
    ends_at: '09:30',
    length: '1.30',
    place: 'studio',
  };
  expect(history.data[0]).toMatchObject({
    event: 'updated',
    old_values: { lines: [stored] },
    new_values: {
      lines: [
        { ...stored, genre_id: genre.id },
        { action: 'B', place: 'studio' },
      ],
    },
    names: { lines: { [`genre_id:${genre.id}`]: genre.option_name } },
  });
});

describe('conditions on rows', () => {
  test('select records by their cells, as the rows of an answer do in memory', async () => {
    const sheets = await Promise.all([
      make([{ action: 'Alpha', amount: 5 }, { action: 'Beta' }]),
      make([{ action: 'Alpha' }, { action: 'Beta', amount: 5 }]),
      make([]),
    ]);
    const conditions = [
      { lines: { $some: { action: 'Alpha', amount: 5 } } },
      { 'lines.amount': { $gte: 5 } },
      { $not: { 'lines.action': 'Beta' } },
      { lines: { $some: {} } },
      { lines: null },
      { lines: { $some: { amount: null, place: 'studio' } } },
    ];
    for (const condition of conditions) {
      const where = encodeURIComponent(JSON.stringify(condition));
      const { status, body } = await owner<{ data: Sheet[] }>('GET', `/call-sheets?where=${where}&range=[0,999]`);
      expect(status, JSON.stringify(body)).toBe(200);
      const found = new Set(body.data.map(({ id }) => id));
      for (const sheet of sheets)
        expect([condition, sheet.id, found.has(sheet.id)]).toEqual([
          condition,
          sheet.id,
          matchesPredicate(predicateOf(condition), sheet),
        ]);
    }
  });
});

describe('the search of a list', () => {
  const found = async (text: string, call = owner) => {
    const query = `q=${encodeURIComponent(text)}&fields=name`;
    return (await call<{ data: Sheet[] }>('GET', `/call-sheets?${query}`)).body.data.map(({ name }) => name);
  };

  test('finds a record by the texts of its rows, long and short, as they are now', async () => {
    const [one, two] = [
      await make([{ action: 'Rig the zeppelin' }, { action: 'Qx' }]),
      await make([{ action: 'Lunch' }]),
    ];
    await change(one.id, { name: 'Airship' });
    await change(two.id, { name: 'Zeppelin hall' });
    expect((await found('zeppelin')).sort()).toEqual(['Airship', 'Zeppelin hall']);
    expect(await found('the ZEPP')).toEqual(['Airship']);
    expect(await found('qx')).toEqual(['Airship']);
    await change(one.id, { lines: [{ action: 'Rig the balloon' }] });
    expect(await found('zeppelin')).toEqual(['Zeppelin hall']);
    expect(await found('rig the balloon', other)).toEqual([]);
  });

  test('the search of all modules finds it too', async () => {
    const sheet = await make([{ action: 'Paint the observatory' }]);
    const { body } = await owner<{ data: { resource: string; id: number }[] }>('GET', '/search?q=observatory');
    expect(body.data).toContainEqual(expect.objectContaining({ resource: 'call-sheets', id: sheet.id }));
  });
});
