// @module-tag slow
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import { startFixtureProgram } from '../../support/program';
import { book, csv, send, type Rows } from './files';
import { filmWithScene, startImporter, type Importer, type Row } from './importer';

// Days and numbers are read as the person writes them, unless a column shows otherwise or somebody chose otherwise.

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
afterEach(() => writeAs(null));

const writeAs = async (formats: string | null) =>
  expect((await owner('PATCH', '/preferences', { formats })).status).toBe(200);
const importFile = (file: Buffer | string, name: string, fields: Record<string, string> = {}, query = '') =>
  send(program, token, `/shots/import${query}`, file, { film_id: String(film.id), ...fields }, name);
const preview = async (file: Buffer | string, name: string, fields: Record<string, string> = {}) =>
  (await importFile(file, name, fields, '?preview=1')).body;
let files = 0;
/** What is stored of rows with a start, an end and a number of hours. */
async function stored(
  rows: Rows,
  { as = 'csv', ...fields }: Record<string, string> = {},
): Promise<[start: unknown, end: unknown, hours: unknown][]> {
  const mark = `Written ${++files}`;
  const whole = [
    ['Name', 'Scene', 'Start', 'Due Date', 'Estimate'],
    ...rows.map((row, index) => [`${mark} ${index}`, scene, ...row]),
  ];
  const answer = await importFile(as === 'csv' ? csv(whole, ';') : book(whole), `a.${as}`, fields);
  expect(answer.body).toMatchObject({ success: true, imported: rows.length });
  const { body } = await owner<{ data: Row[] }>('GET', `/shots?q=${encodeURIComponent(mark)}&sort=["name","ASC"]`);
  return body.data.map(({ starts_on, ends_on, planned_hours }) => [starts_on, ends_on, planned_hours]);
}

const ambiguous = [['03/04/2026', '12/05/2026', '1,234']];

describe('days and numbers of a file', () => {
  test.each<[formats: string | null, start: string, end: string, hours: number]>([
    [null, '2026-04-03', '2026-05-12', 1234],
    ['en-US', '2026-03-04', '2026-12-05', 1234],
    ['en-GB', '2026-04-03', '2026-05-12', 1234],
    ['de-DE', '2026-04-03', '2026-05-12', 1.23],
    ['iso', '2026-04-03', '2026-05-12', 1234],
  ])('are read as the person writes them: %s', async (formats, start, end, hours) => {
    await writeAs(formats);
    const text = formats === 'de-DE' ? [['03.04.2026', '12.05.2026', '1,23']] : ambiguous;
    expect(await stored(text)).toEqual([[start, end, hours]]);
  });

  test.each<[what: string, rows: Rows, expected: unknown[][]]>([
    [
      'a day that proves the order decides for its column alone',
      [
        ['03/04/2026', '04/05/2026', '2'],
        ['03/05/2026', '12/24/2026', '2'],
      ],
      [
        ['2026-04-03', '2026-04-05', 2],
        ['2026-05-03', '2026-12-24', 2],
      ],
    ],
    [
      'a number with both signs decides for its column',
      [
        ['', '', '1,5'],
        ['', '', '1.234,5'],
        ['', '', '1,23'],
      ],
      [
        [null, null, 1.5],
        [null, null, 1234.5],
        [null, null, 1.23],
      ],
    ],
    [
      'years of two digits, names of months and times behind a day',
      [
        ['3.4.26', '4 May 2026', ''],
        ['16-Nov-2026', '2026-11-17 10:00', '1e1'],
      ],
      [
        ['2026-04-03', '2026-05-04', null],
        ['2026-11-16', '2026-11-17', 10],
      ],
    ],
  ])('%s', async (_, rows, expected) => {
    expect(await stored(rows)).toEqual(expected);
  });

  test('numbers of a workbook are numbers, whatever the person writes', async () => {
    await writeAs('de-DE');
    expect(
      await stored(
        [
          ['2026-04-03', '', 1.25],
          ['', '', 1234.5],
        ],
        { as: 'xlsx' },
      ),
    ).toEqual([
      ['2026-04-03', null, 1.25],
      [null, null, 1234.5],
    ]);
  });

  test('are shown in the preview as they will be stored, with a choice', async () => {
    const rows: Rows = [
      ['Name', 'Scene', 'Start', 'Due Date', 'Estimate'],
      ['Shown', scene, ...ambiguous[0]!],
      ['Also', scene, '', '12/24/2026', '2'],
    ];
    const seen = await preview(csv(rows), 'a.csv');
    expect([seen.errors, seen.formats]).toEqual([
      [],
      [
        {
          column: 'Start',
          kind: 'date',
          format: 'dmy',
          by: 'person',
          samples: [{ text: '03/04/2026', means: '03-Apr-2026' }],
        },
        {
          column: 'Due Date',
          kind: 'date',
          format: 'mdy',
          by: 'file',
          samples: [{ text: '12/05/2026', means: '05-Dec-2026' }],
        },
        {
          column: 'Estimate',
          kind: 'number',
          format: 'point',
          by: 'person',
          samples: [{ text: '1,234', means: '1234' }],
        },
      ],
    ]);
    const formats = JSON.stringify({ Start: 'mdy', Estimate: 'comma' });
    expect((await preview(csv(rows), 'a.csv', { formats })).formats).toMatchObject([
      { column: 'Start', by: 'hand', samples: [{ means: '04-Mar-2026' }] },
      { column: 'Due Date', by: 'file' },
      { column: 'Estimate', by: 'hand', samples: [{ means: '1.234' }] },
    ]);
    expect(await stored(ambiguous, { formats })).toEqual([['2026-03-04', '2026-05-12', 1.234]]);
  });

  test.each(['{', '[]', '{"Start":"us"}', '{"Start":1}'])('a choice that is none is refused: %s', async (formats) => {
    expect((await importFile(csv([['Name'], ['a']]), 'a.csv', { formats })).status).toBe(400);
  });
});

describe('unknown values', () => {
  const rows: Rows = [
    ['Name', 'Scene', 'Urgency', 'Operator', 'Estimate'],
    ['Left empty', () => scene, 'No such urgency', 'nobody@example.com', '2'],
    ['Without a scene', 'No such scene', '', '', '2'],
    ['Not a number', () => scene, '', '', 'much'],
  ];
  const file = () => csv(rows.map((row) => row.map((cell) => (typeof cell === 'function' ? cell() : cell))));

  test('refuse their rows, or are left empty where the import says so', async () => {
    const refusing = await preview(file(), 'a.csv');
    expect([refusing.ready, refusing.failed]).toEqual([0, 3]);
    const seen = await preview(file(), 'a.csv', { unknown: 'empty' });
    expect(seen.errors.map(({ row, column }) => [row, column])).toEqual([
      [3, 'Scene'],
      [4, 'Estimate'],
    ]);
    const unknown = seen.values.flatMap(({ values }) => values.filter(({ by }) => by === null).map(({ text }) => text));
    expect(unknown).toEqual(['No such scene', 'No such urgency', 'nobody@example.com']);
    await importFile(file(), 'a.csv', { unknown: 'empty' });
    const { body } = await owner<{ data: Row[] }>('GET', '/shots?q=Left empty');
    expect(body.data).toMatchObject([{ urgency_id: null, operator_id: null, planned_hours: 2 }]);
  });

  test('another word than refuse or empty is refused', async () => {
    expect((await importFile(file(), 'a.csv', { unknown: 'keep' })).status).toBe(400);
  });
});
