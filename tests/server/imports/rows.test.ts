// @module-tag slow
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { read, utils } from 'xlsx';
import { startFixtureProgram, accounts, type Client, type DemoProgram } from '../../support/program';
import { studioOf, type Studio } from '../modules/studio';
import { book, csv, send, type Preview, type Rows } from './files';

// Rows of a record in a file: the rows of the sheet below its first one, with nothing but their cells.

type Line = Record<string, unknown> & { id: number };
type Song = { id: number; name: string; updated_at: string; lines: Line[]; singers: Line[] };
type Shown = Preview & {
  created: number;
  changed: number;
  unchanged: number;
  row_counts: object[];
  rows: { row: number; last: number; kind: string; cells: string[]; changes: object[] }[];
};

let demo: DemoProgram;
let owner: Client;
let token: string;
let studio: Studio;
let genres: { id: number; option_name: string }[];

const headings = ['Name', 'Lines: Action', 'Lines: Amount', 'Lines: Genre', 'Singers: Voice'];

beforeAll(async () => {
  demo = await startFixtureProgram();
  owner = await demo.signIn(accounts.owner);
  token = (await demo.call<{ token: string }>('POST', '/login', { email: accounts.owner, password: 'Demo@1234' })).body
    .token;
  genres = (await owner<{ data: typeof genres }>('GET', '/genres')).body.data;
  studio = studioOf(await demo.signIn(accounts.admin));
  await studio.make(
    'songs',
    {
      name: { required: true },
      genre_id: { type: 'relation', to: 'genres', embed: 'genre', label: 'Genre' },
      lines: {
        type: 'rows',
        fields: {
          action: { type: 'text', required: true },
          amount: { type: 'number', decimal: true, digits: 2, min: 0 },
          place: {
            type: 'select',
            options: ['Studio', 'Outside'].map((label) => ({ value: label.toLowerCase(), label })),
            default: 'studio',
          },
          starts_at: { type: 'time' },
          ends_at: { type: 'time' },
          length: { type: 'duration', startField: 'starts_at', endField: 'ends_at' },
          genre_id: { type: 'relation', to: 'genres', embed: 'genre', label: 'Genre' },
        },
        maxItems: 5,
      },
      singers: { type: 'rows', fields: { voice: {} } },
    },
    {
      scope: 'company',
      export: { path: 'songs-export', file: 'songs.xlsx' },
      import: {
        match: ['name'],
        synonyms: { lines: ['Steps'] },
        tools: [{ name: 'Other Program', headings: ['Song', 'Do'], columns: { Song: 'name', Do: 'lines.action' } }],
      },
    },
  );
});
afterAll(() => demo?.close());

const check = async (rows: Rows | Buffer | string, fields: Record<string, string> = {}) => {
  const isRows = Array.isArray(rows);
  const file = isRows ? book(rows as Rows) : (rows as Buffer | string);
  const name = typeof rows === 'string' ? 'songs.csv' : 'songs.xlsx';
  const answer = await send(demo, token, '/songs/import?preview=1', file, fields, name);
  expect(answer.status, JSON.stringify(answer.body)).toBe(200);
  return answer.body as unknown as Shown;
};
const store = async (rows: Rows, fields: Record<string, string> = {}) =>
  send(demo, token, '/songs/import?again=1', book(rows), fields);
const songs = async (name: string) => {
  const list = await owner<{ data: Song[] }>('GET', `/songs?name=${name}&fields=id,name,updated_at,lines,singers`);
  return (list.body.data ?? list.body).filter((song) => song.name === name);
};
const song = async (name: string) => {
  const [found, ...others] = await songs(name);
  expect(others).toEqual([]);
  return found!;
};
const make = async (name: string, lines: object[]) => {
  const { status, body } = await owner<{ data: Song }>('POST', '/songs', { name, lines });
  expect(status, JSON.stringify(body)).toBe(201);
  return song(name);
};
const actionsOf = ({ lines }: Song) => lines.map(({ action }) => action);

test.each(['xlsx', 'csv'])('sheet rows without cells of the record are its rows: %s', async (format) => {
  const name = `Whole ${format}`;
  const genre = genres[0]!;
  const rows = [
    headings,
    [name, 'Set up', 12.5, genre.option_name, 'high'],
    ['', 'Shoot', '', '', 'low'],
    ['', '', '', '', 'none'],
    [`Bare ${format}`, '', '', '', ''],
    [`Single ${format}`, 'Clear', '', '', ''],
  ];
  const preview = await check(format === 'csv' ? csv(rows) : rows);
  expect(preview).toMatchObject({
    total: 3,
    created: 3,
    errors: [],
    row_counts: [
      { field: 'lines', label: 'Lines', count: 3 },
      { field: 'singers', label: 'Singers', count: 3 },
    ],
  });
  expect(preview.rows.map(({ row, last, cells }) => [row, last, cells[1]])).toEqual([
    [2, 4, 'Set up\nShoot'],
    [5, 5, ''],
    [6, 6, 'Clear'],
  ]);
  const file = format === 'csv' ? csv(rows) : book(rows);
  const done = await send(demo, token, '/songs/import', file, {}, `songs.${format}`);
  expect(done.body).toMatchObject({ success: true, imported: 3 });
  const whole = await song(name);
  expect(whole.lines).toEqual([
    expect.objectContaining({ action: 'Set up', amount: 12.5, place: 'studio', genre_id: genre.id }),
    expect.objectContaining({ action: 'Shoot', amount: null, place: 'studio', genre_id: null }),
  ]);
  expect(whole.singers.map(({ voice }) => voice)).toEqual(['high', 'low', 'none']);
  expect((await song(`Bare ${format}`)).lines).toEqual([]);
  expect(actionsOf(await song(`Single ${format}`))).toEqual(['Clear']);
});

describe('faults', () => {
  const rows = [
    headings,
    ['Right', 'Set up', 1, '', ''],
    ['Wrong', 'Set up', 1, '', ''],
    ['', 'Shoot', 'much', '', ''],
    ['', '', '', '', 'low'],
    ['', '', 2, 'Unknown genre', ''],
    ['Many', ...['1', '', '', '']],
    ...[2, 3, 4, 5, 6].map((n) => ['', String(n), '', '', '']),
  ];

  test('are named by the row of the sheet and the column', async () => {
    const { errors, failed, ready } = await check(rows);
    expect([ready, failed]).toEqual([1, 2]);
    expect(errors).toEqual([
      { row: 4, column: 'Lines: Amount', message: 'Amount must be a number.' },
      { row: 6, column: 'Lines: Action', message: 'Action is required.' },
      { row: 6, column: 'Lines: Genre', message: 'Genre: this choice is not available.' },
      { row: 7, column: 'Lines: Action', message: 'Lines must have at most 5 entries.' },
    ]);
  });

  test('come back beside their rows, and nothing of the record is stored', async () => {
    const answer = await store(rows);
    const sheet = read(answer.bytes, { type: 'buffer' });
    const lines = utils.sheet_to_json<unknown[]>(sheet.Sheets[sheet.SheetNames[0]!]!, { header: 1, defval: null });
    expect(lines.map((cells) => [cells[0], cells[1], cells[5]])).toEqual([
      ['Name', 'Lines: Action', 'Errors'],
      ['Wrong', 'Set up', null],
      [null, 'Shoot', 'Amount must be a number.'],
      [null, null, null],
      [null, null, 'Action is required. Genre: this choice is not available.'],
      ['Many', '1', 'Lines must have at most 5 entries.'],
      ...['2', '3', '4', '5', '6'].map((text) => [null, text, null]),
    ]);
    expect(await songs('Wrong')).toEqual([]);
    expect(actionsOf(await song('Right'))).toEqual(['Set up']);
  });

  test('formulas without a value in a row below are refused', async () => {
    const made = utils.book_new();
    const sheet = utils.aoa_to_sheet([headings.slice(0, 2), ['Formula', 'A'], ['', 'B']]);
    sheet.B3 = { t: 'e', v: 42, f: 'NA()' };
    utils.book_append_sheet(made, sheet, 'Rows');
    const { write } = await import('xlsx');
    const { errors } = await check(Buffer.from(write(made, { type: 'array', bookType: 'xlsx' }) as ArrayBuffer));
    expect(errors).toEqual([
      { row: 3, column: 'Lines: Action', message: expect.stringContaining('The formula has no value') },
    ]);
  });
});

describe('rows of a record that exists', () => {
  const columns = ['Name', 'Lines: Action', 'Lines: Amount'];

  test('are replaced; those that the file repeats stay, with what is not in the file', async () => {
    const before = await make('Matched', [
      { action: 'A', amount: 1, place: 'outside' },
      { action: 'B', amount: 2, place: 'outside' },
      { action: 'C', amount: 3, place: 'outside' },
    ]);
    const rows = [columns, ['Matched', 'A', 1], ['', 'B', 4], ['', 'New', ''], ['', 'C', 3]];
    const preview = await check(rows);
    expect(preview).toMatchObject({ created: 0, changed: 1, unchanged: 0, errors: [] });
    expect(preview.rows[0]!.changes).toEqual([
      { field: 'lines.action', label: 'Lines: Action', old: null, new: 'Row 3: New' },
      { field: 'lines.amount', label: 'Lines: Amount', old: 'Row 2: 2.00', new: 'Row 2: 4.00' },
      { field: 'lines.place', label: 'Lines: Place', old: null, new: 'Row 3: Studio' },
    ]);
    expect((await store(rows)).body).toMatchObject({ success: true, changed: 1 });
    const [a, b, c] = before.lines.map(({ id }) => id);
    expect((await song('Matched')).lines.map(({ id, action, amount, place }) => [id, action, amount, place])).toEqual([
      [a, 'A', 1, 'outside'],
      [b, 'B', 4, 'outside'],
      [expect.any(Number), 'New', null, 'studio'],
      [c, 'C', 3, 'outside'],
    ]);
    expect(await check(rows)).toMatchObject({ changed: 0, unchanged: 1 });
  });

  test('are fewer if the file has fewer; an empty cell empties a cell of a row', async () => {
    await make('Fewer', [{ action: 'A', amount: 1 }, { action: 'B' }, { action: 'C' }]);
    expect((await store([columns, ['Fewer', 'A', '']])).body).toMatchObject({ success: true, changed: 1 });
    expect((await song('Fewer')).lines).toEqual([expect.objectContaining({ action: 'A', amount: null })]);
  });

  test('stay if the file has none, unless empty cells clear', async () => {
    await make('Kept', [{ action: 'A' }]);
    const rows = [columns, ['Kept', '', '']];
    expect(await check(rows)).toMatchObject({ changed: 0, unchanged: 1 });
    expect((await store(rows, { empty: 'clear' })).body).toMatchObject({ success: true, changed: 1 });
    expect((await song('Kept')).lines).toEqual([]);
  });

  test('stay if the file has no cell of theirs in its columns', async () => {
    const before = await make('Partly', [{ action: 'A', amount: 1 }, { action: 'B' }, { action: 'C', amount: 3 }]);
    const rows = (amount: number) => [
      ['Name', 'Lines: Amount'],
      ['Partly', 1],
      ['', amount],
    ];
    expect(await check(rows(3))).toMatchObject({ changed: 0, unchanged: 1 });
    expect((await store(rows(4))).body).toMatchObject({ success: true, changed: 1 });
    const after = await song('Partly');
    expect(after.lines.map(({ action, amount }) => [action, amount])).toEqual([
      ['A', 1],
      ['C', 4],
      ['B', null],
    ]);
    expect(after.lines.map(({ id }) => id).sort()).toEqual(before.lines.map(({ id }) => id).sort());
  });

  test('come back from an export without a change, also those that the program computes', async () => {
    await make('Timed', [
      { action: 'A', starts_at: '08:00', ends_at: '09:00' },
      { action: 'B', starts_at: '09:00', ends_at: '10:30' },
    ]);
    const file = await demo.app.inject({
      method: 'GET',
      url: '/api/songs-export?name=Timed&columns=name,lines&format=csv',
      headers: { authorization: `Bearer ${token}` },
    });
    expect(file.body).toContain('Lines: Length');
    expect(await check(file.body)).toMatchObject({ total: 1, unchanged: 1, errors: [] });
  });
});

test('headings of other programs fill columns of rows too', async () => {
  const other = await check([
    ['Song', 'Do', 'Steps: Amount'],
    ['Foreign', 'Set up', 1],
    ['', 'Shoot', ''],
  ]);
  expect(other).toMatchObject({ tool: 'Other Program', total: 1, errors: [] });
  expect(other.columns.map(({ field, by }) => [field, by])).toEqual([
    ['name', 'tool'],
    ['lines.action', 'tool'],
    ['lines.amount', 'name'],
  ]);
  const byHand = await check(
    [
      ['Name', 'What'],
      ['By hand', 'Set up'],
      ['', 'Shoot'],
    ],
    {
      mapping: JSON.stringify({ What: 'lines.action' }),
    },
  );
  expect(byHand).toMatchObject({ total: 1, row_counts: [{ field: 'lines', count: 2 }] });
});

test('a definition that treats rows as one cell is refused with the remedy', async () => {
  const answer = await studio.tryPublish('songs', (source) => {
    source.import = {
      steps: ['lines'],
      tools: [{ name: 'X', headings: ['A'], columns: { A: 'lines', B: 'lines.colour' } }],
    };
  });
  expect([answer.status, answer.body.errors]).toEqual([
    422,
    {
      '/import/steps/0': expect.stringContaining('fill several columns of a file ("lines.action")'),
      '/import/tools/0/columns/A': expect.stringContaining('fill several columns of a file ("lines.action")'),
      '/import/tools/0/columns/B': expect.stringContaining('lines.colour'),
    },
  ]);
});

test('the sample file has the columns of rows', async () => {
  const sample = await demo.app.inject({
    method: 'GET',
    url: '/api/imports/songs/download-sample',
    headers: { authorization: `Bearer ${token}` },
  });
  expect(sample.statusCode, sample.body.slice(0, 200)).toBe(200);
  const sheet = read(sample.rawPayload, { type: 'buffer' });
  const [first] = utils.sheet_to_json<string[]>(sheet.Sheets[sheet.SheetNames[0]!]!, { header: 1 });
  expect(first).toEqual(expect.arrayContaining(['Name', 'Lines: Action', 'Lines: Genre', 'Singers: Voice']));
  expect(first).not.toContain('Lines');
  expect(first).not.toContain('Lines: Length');
});
