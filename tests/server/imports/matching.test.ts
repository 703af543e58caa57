// @module-tag slow
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { accounts, type Client, type DemoProgram } from '../../support/program';
import { startStudio, type Studio } from '../modules/studio';
import { csv, send, type Imported, type Rows } from './files';

// Imports that find the records of their rows: by fields that a definition names, and by Record ID.

interface Row {
  id: number;
  updated_at: string;
  [name: string]: unknown;
}
interface Compared {
  created: number;
  changed: number;
  unchanged: number;
  failed: number;
  matched_by: string | null;
  seen_at: string;
  rows: { row: number; kind: string; changes: { label: string; old: string | null; new: string | null }[] }[];
  errors: { row: number; column: string; message: string }[];
}

let program: DemoProgram;
let owner: Client;
let studio: Studio;
let token: string;

beforeAll(async () => {
  ({ program, owner, studio } = await startStudio());
  token = (await program.call<{ token: string }>('POST', '/login', { email: accounts.owner, password: 'Demo@1234' }))
    .body.token;
  const company = { scope: 'company' } as const;
  await studio.make('bands', { name: { required: true }, city: {} }, { ...company, import: {} });
  await studio.make(
    'people',
    {
      name: { required: true },
      email: { type: 'email' },
      fee: { type: 'number', digits: 2 },
      born: { type: 'date' },
      met_at: { type: 'datetime' },
      about: { type: 'richText' },
      grade: {
        type: 'select',
        options: [
          { value: 'a', label: 'Great' },
          { value: 'b', label: 'Good' },
        ],
      },
      is_member: { type: 'boolean' },
      band_id: { type: 'relation', to: 'bands', label: 'Band', embed: 'band' },
      band_ids: { type: 'relations', to: 'bands', label: 'Bands', embed: 'bands' },
    },
    {
      ...company,
      import: { match: ['email'] },
      export: { path: 'people-export', file: 'people.xlsx' },
      rules: [{ levels: [2], action: ['edit'], where: { name: { $ne: 'Locked' } }, reason: 'locked people stay' }],
    },
  );
  await studio.make(
    'songs',
    {
      title: { required: true },
      band_id: { type: 'relation', to: 'bands', label: 'Band' },
      year: { type: 'number', integer: true },
    },
    { ...company, import: { match: ['band_id', 'title'] } },
  );
});
afterAll(() => program?.close());

const send_ = (type: string, rows: Rows, fields: Record<string, string> = {}, query = '') =>
  send(program, token, `/${type}/import${query}`, csv(rows), fields, 'rows.csv');
const preview = async (type: string, rows: Rows, fields: Record<string, string> = {}) => {
  const answer = await send_(type, rows, fields, '?preview=1');
  expect(answer.status, JSON.stringify(answer.body)).toBe(200);
  return answer.body as unknown as Compared;
};
const run = (type: string, rows: Rows, fields: Record<string, string> = {}) => send_(type, rows, fields, '?again=1');
const counts = ({ created, changed, unchanged, failed }: Compared) => ({ created, changed, unchanged, failed });
async function make(resource: string, ...create: object[]): Promise<Row[]> {
  const answer = await owner<{ data: { created: Row[] } }>('POST', `/${resource}/bulk`, { create });
  expect(answer.status, JSON.stringify(answer.body)).toBe(200);
  return answer.body.data.created;
}
const read = async (resource: string, id: number) => (await owner<Row>('GET', `/${resource}/${id}`)).body;
const list = async (resource: string, query: string) => (await owner<Row[]>('GET', `/${resource}?${query}`)).body;
const failedRows = ({ status, headers }: Imported) => [status, headers['x-imported'], headers['x-failed']];

describe('rows find their records', () => {
  test('by a field, and change, keep or make them', async () => {
    const [north, south] = await make('bands', { name: 'North' }, { name: 'South' });
    const [ann, bob] = await make(
      'people',
      { name: 'Ann', email: 'ann@x.test', fee: 5, band_id: north!.id },
      { name: 'Bob', email: 'bob@x.test', fee: 7 },
    );
    const rows = [
      ['Name', 'Email', 'Fee', 'Band'],
      ['Ann Lee', 'ANN@x.test', '6', 'South'],
      ['Bob', 'bob@x.test', '7', ''],
      ['Cid', 'cid@x.test', '1', 'North'],
      ['Dan', '', '2', ''],
    ];
    const told = await preview('people', rows);
    expect(counts(told)).toEqual({ created: 2, changed: 1, unchanged: 1, failed: 0 });
    expect(told.matched_by).toBe('Email');
    expect(told.rows.map(({ kind }) => kind)).toEqual(['changed', 'unchanged', 'new', 'new']);
    expect(told.rows[0]!.changes.map(({ label, old, new: fresh }) => [label, old, fresh])).toEqual([
      ['Name', 'Ann', 'Ann Lee'],
      ['Email', 'ann@x.test', 'ANN@x.test'],
      ['Fee', '5.00', '6.00'],
      ['Band', 'North', 'South'],
    ]);
    expect((await read('people', ann!.id)).name).toBe('Ann');
    const done = await run('people', rows, { seen_at: told.seen_at });
    expect(done.body).toEqual({
      success: true,
      message: 'Imported Successfully',
      imported: 4,
      changed: 1,
      unchanged: 1,
    });
    expect(await read('people', ann!.id)).toMatchObject({ name: 'Ann Lee', fee: 6, band_id: south!.id });
    expect((await read('people', bob!.id)).updated_at).toBe(bob!.updated_at);
    const history = await owner<{ data: Row[] }>('GET', `/people/${ann!.id}/history`);
    expect(history.body.data[0]).toMatchObject({ event: 'updated', new_values: { name: 'Ann Lee' } });
    expect(await list('people', 'email=cid@x.test')).toHaveLength(1);
  });

  test('by a relation and a text together', async () => {
    const [east, west] = await make('bands', { name: 'East' }, { name: 'West' });
    const [song] = await make('songs', { title: 'Tide', band_id: east!.id, year: 1990 });
    const rows = [
      ['Title', 'Band', 'Year'],
      ['tide', 'East', '1991'],
      ['Tide', 'West', '1992'],
    ];
    expect(counts(await preview('songs', rows))).toEqual({ created: 1, changed: 1, unchanged: 0, failed: 0 });
    expect((await run('songs', rows)).body).toMatchObject({ imported: 2, changed: 1 });
    expect(await read('songs', song!.id)).toMatchObject({ year: 1991, band_id: east!.id });
    expect(await list('songs', `band_id=${west!.id}`)).toMatchObject([{ title: 'Tide', year: 1992 }]);
    // Without the column of one of them, no row finds anything.
    const some = await preview('songs', [['Title'], ['Tide']]);
    expect([some.matched_by, some.created]).toEqual([null, 1]);
  });

  test('by Record ID, whatever the definition names', async () => {
    const [one] = await make('bands', { name: 'Old name', city: 'Rome' });
    const rows = [
      ['Record ID', 'Name'],
      [String(one!.id), 'New name'],
      ['', 'Another'],
      ['x1', 'Wrong'],
      ['999999', 'Nobody'],
      [String(one!.id), 'Twice'],
    ];
    const told = await preview('bands', rows);
    expect(counts(told)).toEqual({ created: 1, changed: 1, unchanged: 0, failed: 3 });
    expect(told.matched_by).toBe('Record ID');
    expect(told.errors).toEqual([
      { row: 4, column: 'Record ID', message: 'Record ID must be the number of a record, such as 7.' },
      { row: 5, column: 'Record ID', message: expect.stringMatching(/No bands has this Record ID/) as string },
      { row: 6, column: 'Record ID', message: 'Row 2 is about the same record: keep one of them.' },
    ]);
    expect(failedRows(await run('bands', rows))).toEqual([200, '2', '3']);
    expect(await read('bands', one!.id)).toMatchObject({ name: 'New name', city: 'Rome' });
  });

  test('an empty cell leaves the value, or clears it where the import says so', async () => {
    const [band_] = await make('bands', { name: 'Of empties' });
    const [one] = await make('people', {
      name: 'Eve',
      email: 'eve@x.test',
      fee: 3,
      band_id: band_!.id,
      band_ids: [band_!.id],
    });
    const rows = [
      ['Name', 'Email', 'Fee', 'Band', 'Bands'],
      ['Eve', 'eve@x.test', '', '', ''],
    ];
    expect(counts(await preview('people', rows))).toMatchObject({ changed: 0, unchanged: 1 });
    const cleared = await preview('people', rows, { empty: 'clear' });
    expect(cleared.rows[0]!.changes.map(({ label, old, new: fresh }) => [label, old, fresh])).toEqual([
      ['Fee', '3.00', null],
      ['Band', 'Of empties', null],
      ['Bands', 'Of empties', null],
    ]);
    await run('people', rows, { empty: 'clear' });
    expect(await read('people', one!.id)).toMatchObject({ name: 'Eve', fee: null, band_id: null, band_ids: [] });
    expect((await send_('people', rows, { empty: 'maybe' })).status).toBe(400);
  });
});

describe('rows are refused, in words', () => {
  test('where the record changed after the preview', async () => {
    const [one] = await make('people', { name: 'Fay', email: 'fay@x.test' });
    const rows = [
      ['Name', 'Email'],
      ['Fay from the file', 'fay@x.test'],
    ];
    const told = await preview('people', rows);
    await owner('PUT', `/people/${one!.id}`, { name: 'Fay by hand' });
    expect(failedRows(await run('people', rows, { seen_at: told.seen_at }))).toEqual([200, '0', '1']);
    expect((await read('people', one!.id)).name).toBe('Fay by hand');
    const late = await preview('people', rows, { seen_at: told.seen_at });
    expect(late.errors[0]!.message).toMatch(/was changed by .* on /);
    await run('people', rows);
    expect((await read('people', one!.id)).name).toBe('Fay from the file');
  });

  test('where two rows or two records have one key, or the user may not edit the record', async () => {
    await make(
      'people',
      { name: 'Gil', email: 'gil@x.test' },
      { name: 'Gil 2', email: 'gil@x.test' },
      { name: 'Locked', email: 'locked@x.test' },
    );
    const rows = [
      ['Name', 'Email'],
      ['Gil', 'gil@x.test'],
      ['Hal', 'hal@x.test'],
      ['Hal again', 'HAL@x.test'],
      ['Open', 'locked@x.test'],
    ];
    const told = await preview('people', rows);
    expect(told.errors).toEqual([
      { row: 2, column: 'Email', message: 'Several peoples have this Email: give the Record ID.' },
      { row: 4, column: 'Email', message: 'Row 3 has the same Email: keep one of them.' },
      { row: 5, column: '', message: expect.stringMatching(/permission to edit .*locked people stay/) as string },
    ]);
    expect(failedRows(await run('people', rows))).toEqual([200, '1', '3']);
    expect(await list('people', 'email=hal@x.test')).toMatchObject([{ name: 'Hal' }]);
  });

  test('where the user may create and not edit', async () => {
    const { call, grant } = await program.restricted();
    await grant(['people.list', 'people.create', 'imports.create', 'imports.list']);
    const { token: theirs } = (
      await program.call<{ token: string }>('POST', '/login', { email: 'restricted@demo.test', password: 'Demo@1234' })
    ).body;
    await make('people', { name: 'Ida', email: 'ida@x.test' });
    const file = csv([
      ['Name', 'Email'],
      ['Ida 2', 'ida@x.test'],
    ]);
    const answer = await send(program, theirs, '/people/import?preview=1', file, {}, 'rows.csv');
    expect((answer.body as unknown as Compared).errors[0]!.message).toMatch(/exists already.*permission to edit/);
    expect((await call('GET', '/people')).status).toBe(200);
  });
});

test('a definition that matches by a field which is not imported is refused with the remedy', async () => {
  const answer = await studio.tryPublish('songs', (source) => {
    source.import = { fields: ['title'], match: ['year'] };
  });
  expect([answer.status, Object.entries(answer.body.errors ?? {})[0]]).toEqual([
    422,
    ['/import/match/0', expect.stringMatching(/not imported: add it to the import's fields/)],
  ]);
});
