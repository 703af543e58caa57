// @module-tag slow
import { afterAll, beforeAll, expect, test } from 'vitest';
import { read, utils } from 'xlsx';
import { accounts, startFixtureProgram, type Client, type DemoProgram } from '../../support/program';
import { studioOf } from '../modules/studio';

// Rows of a record in a sheet: a line for each, and only the first has the cells of the record.

let demo: DemoProgram;
let owner: Client;
let token: string;
let ids: number[];

beforeAll(async () => {
  demo = await startFixtureProgram();
  owner = await demo.signIn(accounts.owner);
  token = (await demo.call<{ token: string }>('POST', '/login', { email: accounts.owner, password: 'Demo@1234' })).body
    .token;
  const admin = await demo.signIn(accounts.admin);
  await studioOf(admin).make(
    'songs',
    {
      name: { required: true },
      lines: {
        type: 'rows',
        label: 'Lines',
        fields: {
          action: { type: 'text' },
          amount: { type: 'number', decimal: true, digits: 2 },
          genre_id: { type: 'relation', to: 'genres', embed: 'genre', label: 'Genre' },
        },
      },
      singers: { type: 'rows', label: 'Singers', fields: { voice: { type: 'text' } } },
    },
    { export: { path: 'songs-export', file: 'songs.xlsx' }, import: {} },
  );
  const genres = await owner<{ data: { id: number }[] }>('GET', '/genres');
  const answer = await owner<{ data: { created: { id: number }[] } }>('POST', '/songs/bulk', {
    create: [
      {
        name: 'Whole',
        lines: [{ action: 'Set up', amount: 12.5, genre_id: genres.body.data[0]!.id }, {}, { action: 'Shoot' }],
        singers: [{ voice: 'high' }, { voice: 'low' }, { voice: 'none' }],
      },
      { name: 'Bare' },
      { name: 'Single', lines: [{ amount: 0 }] },
    ],
  });
  expect(answer.status, JSON.stringify(answer.body)).toBe(200);
  ids = answer.body.data.created.map(({ id }) => id);
});
afterAll(() => demo?.close());

async function sheet(query: string): Promise<unknown[][]> {
  const answer = await demo.app.inject({
    method: 'GET',
    url: `/api/songs-export?sort=["id","ASC"]&${query}`,
    headers: { authorization: `Bearer ${token}` },
  });
  expect(answer.statusCode, answer.body.slice(0, 300)).toBe(200);
  expect(answer.headers['x-total']).toBe('3');
  const book = read(answer.rawPayload, { type: 'buffer', raw: true });
  return utils.sheet_to_json<unknown[]>(book.Sheets[book.SheetNames[0]!]!, { header: 1, defval: null, raw: false });
}

test.each(['xlsx', 'csv'])('a record takes as many lines as it has rows, at least one: %s', async (format) => {
  const genres = await owner<{ data: { option_name: string }[] }>('GET', '/genres');
  expect(await sheet(`ids=1&columns=name,lines,singers&format=${format}`)).toEqual([
    ['Record ID', 'Name', 'Lines: Action', 'Lines: Amount', 'Lines: Genre', 'Singers: Voice'],
    [String(ids[0]), 'Whole', 'Set up', expect.stringMatching(/^12\.50?$/), genres.body.data[0]!.option_name, 'high'],
    [null, null, 'Shoot', null, null, 'low'],
    [null, null, null, null, null, 'none'],
    [String(ids[1]), 'Bare', null, null, null, null],
    [String(ids[2]), 'Single', null, expect.stringMatching(/^0(\.00)?$/), null, null],
  ]);
});

test('one column of rows is a column of its own, and one that does not exist is refused', async () => {
  expect(await sheet('columns=name,lines.action&format=csv')).toEqual([
    ['Name', 'Lines: Action'],
    ['Whole', 'Set up'],
    [null, 'Shoot'],
    ['Bare', null],
    ['Single', null],
  ]);
  const wrong = await owner<{ message: string }>('GET', '/songs-export?columns=lines.colour');
  expect(wrong.status).toBe(400);
  expect(wrong.body.message).toContain('no column named "lines.colour"');
});
