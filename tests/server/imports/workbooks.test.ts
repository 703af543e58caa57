// @module-tag slow
import { strToU8, unzipSync, zipSync } from 'fflate';
import { read, utils, write, type WorkSheet } from 'xlsx';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { startFixtureProgram } from '../../support/program';
import { book, csv, send, type Imported, type Rows } from './files';
import { filmWithScene, startImporter, type Importer, type Row } from './importer';

// What workbooks have beside plain cells: merged ones, formulas, titles above, and texts longer than a cell.

let program: Importer['program'];
let owner: Importer['owner'];
let token: string;
let importer: Importer;
let film: Row;
let scene: string;

beforeAll(async () => {
  importer = await startImporter(startFixtureProgram);
  ({ program, owner, token } = importer);
  ({ film, scene } = await filmWithScene(importer));
});
afterAll(() => program?.close());

const listOf = (path: string) => importer.list(path);
const importFile = (file: Buffer | string, name = 'a.xlsx', query = '', type = 'shots'): Promise<Imported> =>
  send(program, token, `/${type}/import${query}`, file, { film_id: String(film.id) }, name);
const preview = async (file: Buffer | string, name?: string, type?: string) =>
  (await importFile(file, name, '?preview=1', type)).body;
const shotsNamed = (name: string) => listOf(`/shots?q=${encodeURIComponent(name)}&sort=["name","ASC"]`);

function workbook(rows: Rows, change: (sheet: WorkSheet) => void = () => undefined): Buffer {
  const made = utils.book_new();
  const sheet = utils.aoa_to_sheet(rows.map((row) => [...row]));
  change(sheet);
  utils.book_append_sheet(made, sheet, 'Rows');
  return Buffer.from(write(made, { type: 'array', bookType: 'xlsx' }) as ArrayBuffer);
}
const merged =
  (...ranges: string[]) =>
  (sheet: WorkSheet) =>
    void (sheet['!merges'] = ranges.map((range) => utils.decode_range(range)));

describe('merged cells', () => {
  test('give their value to all rows that they cover, which the preview says', async () => {
    const rows: Rows = [
      ['Name', 'Scene', 'Urgency'],
      ['Merged 1', scene, 'High'],
      ['Merged 2', '', ''],
      ['Merged 3', '', ''],
      ['Merged 4', scene, 'Low'],
    ];
    const file = workbook(rows, merged('B2:B4', 'C2:C4'));
    expect(await preview(file)).toMatchObject({ errors: [], ready: 4, merged: ['Scene', 'Urgency'] });
    expect((await importFile(file)).body).toMatchObject({ success: true, imported: 4 });
    const [high, ...others] = (await shotsNamed('Merged')).map(({ urgency_id }) => urgency_id);
    const low = others.at(-1);
    expect(high).toEqual(expect.any(Number));
    expect(low).not.toBe(high);
    expect(others).toEqual([high, high, low]);
  });

  test('over the steps of a record do not make a record of each step', async () => {
    const rows: Rows = [
      ['Title', 'Scene', 'Steps', 'Expected'],
      ['Steps merged', scene, 'Open', 'Opened'],
      ['', '', 'Look', ''],
      ['', '', 'Close', ''],
      ['Other merged', '', 'Wait', ''],
      ['', '', 'Leave', ''],
    ];
    const file = workbook(rows, merged('A2:A4', 'B2:B6', 'A5:A6'));
    const seen = await preview(file, 'a.xlsx', 'screenings');
    expect([seen.errors, seen.total, seen.rows.map(({ row, last }) => [row, last])]).toEqual([
      [],
      2,
      [
        [2, 4],
        [5, 6],
      ],
    ]);
  });
});

test('formulas are imported by their stored value, and refused where they have none', async () => {
  const rows: Rows = [
    ['Name', 'Scene', 'Estimate'],
    ['x', scene, 0],
    ['Formula without a value', scene, 0],
    ['Formula with an error', scene, 0],
  ];
  const file = workbook(rows, (sheet) => {
    sheet.A2 = { t: 's', f: 'CONCATENATE("Formula","!")', v: 'Formula stored' };
    sheet.C2 = { t: 'n', f: 'SUM(1,0.5)', v: 1.5 };
    sheet.C3 = { t: 'n', f: '1+1' };
    sheet.C4 = { t: 'e', f: 'NA()', v: 42 };
  });
  const { errors, ready } = await preview(file);
  expect([ready, errors.map(({ row, column }) => [row, column])]).toEqual([
    1,
    [
      [3, 'Estimate'],
      [4, 'Estimate'],
    ],
  ]);
  await importFile(file);
  expect(await shotsNamed('Formula')).toMatchObject([{ name: 'Formula stored', planned_hours: 1.5 }]);
});

test.each<[what: string, above: Rows]>([
  ['a title', [['Shots of December']]],
  ['a title, an empty row and a line about it', [['Shots of December'], [], ['Made by', 'Ann']]],
])('the headings are found below %s', async (what, above) => {
  const rows: Rows = [...above, ['Name', 'Scene', 'Estimate'], [`Below ${what}`, scene, 2]];
  for (const [file, name] of [
    [book(rows), 'a.xlsx'],
    [csv(rows, ';'), 'a.csv'],
  ] as const) {
    const seen = await preview(file, name);
    expect([seen.errors, seen.ready, seen.heading_row]).toEqual([[], 1, above.length + 1]);
  }
  expect((await importFile(book(rows))).body).toMatchObject({ imported: 1 });
});

test('a first row with one known heading stays the headings', async () => {
  const rows: Rows = [
    ['Name', 'Part of the film'],
    ['Name', 'Scene'],
  ];
  expect((await preview(csv(rows), 'a.csv')).columns.map(({ heading }) => heading)).toEqual([
    'Name',
    'Part of the film',
  ]);
});

describe('a text that is longer than a cell', () => {
  const long = 'x'.repeat(40_000);

  test('says so in a workbook, which is refused, and is whole in comma-separated values', async () => {
    const [{ id: scene_id }] = (await listOf(`/shots/choices/scene_id?film_id=${film.id}`)) as [Row];
    const made = await owner<{ data: Row }>('POST', '/shots', {
      name: 'Long text',
      film_id: film.id,
      scene_id,
      description: `<p>${long}</p>`,
    });
    expect(made.status, JSON.stringify(made.body)).toBe(201);
    const exported = async (format: string) =>
      (
        await program.app.inject({
          url: `/api/shots-export?q=Long text&ids=1&columns=name,description&format=${format}`,
          headers: { authorization: `Bearer ${token}` },
        })
      ).rawPayload;
    const xlsx = await exported('xlsx');
    const sheet = read(xlsx).Sheets.Shots!;
    const cell = String(sheet.C2.v);
    expect(cell).toMatch(/^\[Too long for a workbook: 40,000 characters, and a cell holds 32,767\. Download the CSV/);
    expect(cell).toHaveLength(32_767);
    const seen = await preview(xlsx);
    expect(seen.errors).toEqual([
      { row: 2, column: 'Description', message: expect.stringContaining('only the beginning of this text') },
    ]);
    const failed = await importFile(xlsx);
    expect((await preview(failed.bytes)).failed).toBe(1);
    const text = await preview(await exported('csv'), 'a.csv');
    expect([text.errors, text.ready]).toEqual([[], 1]);
    expect((await owner<{ data: Row }>('GET', `/shots/${made.body.data.id}`)).body.data.description).toHaveLength(
      40_007,
    );
  });

  test('is not cut without a word in the workbook of failed rows', async () => {
    const rows: Rows = [
      ['Name', 'Scene', 'Description', 'Urgency'],
      ['Long and wrong', scene, long, 'No such urgency'],
    ];
    const failed = await importFile(csv(rows), 'a.csv');
    const sheet = read(failed.bytes);
    const [, cells] = utils.sheet_to_json<string[]>(sheet.Sheets[sheet.SheetNames[0]!]!, { header: 1 });
    expect(cells![2]).toMatch(/^\[Too long for a workbook: 40,000 characters/);
  });
});

test('an archive with a name that points out of it is read like any other', async () => {
  const parts = unzipSync(
    book([
      ['Name', 'Scene'],
      ['Out of the archive', scene],
    ]),
  );
  const file = Buffer.from(zipSync({ '../evil.xml': strToU8('<a/>'), '/abs.xml': strToU8('<a/>'), ...parts }));
  expect(await preview(file)).toMatchObject({ errors: [], ready: 1 });
});

test.each<[sent: string, name: string]>([
  ['a%22b.csv', 'a"b.csv'],
  ['a\\"b.csv', 'a"b.csv'],
  ['100%.csv', '100%.csv'],
])('a file is named as it was sent: %s', async (sent, name) => {
  const file = csv([
    ['Name', 'Scene', 'Estimate'],
    [`Named ${sent}`, scene, 1],
  ]);
  expect((await importFile(file, sent)).body).toMatchObject({ success: true });
  const [entry] = await listOf('/imports?type=shots&sort=["id","DESC"]');
  expect(entry!.file_name).toBe(name);
  const answer = await program.app.inject({ url: String(entry!.file_path) });
  expect(answer.statusCode).toBe(200);
});
