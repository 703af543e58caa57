import { describe, expect, test } from 'vitest';
import type { FieldOf, ResourceRecord } from '../../src/engine/definitions/definition';
import { mergeRows } from '../../src/engine/forms/merge-rows';
import {
  canBeShared,
  copyRow,
  detachRow,
  insertingRow,
  moveRow,
  parseCells,
  pasteCells,
  rowNumbers,
} from '../../src/engine/forms/row-edits';
import { definition } from './support/definitions';

const lines = definition({
  fields: {
    lines: {
      type: 'rows',
      maxItems: 4,
      fields: {
        what: { type: 'text' },
        amount: { type: 'number' },
        day: { type: 'date' },
        place: {
          type: 'select',
          options: [
            { value: 'in', label: 'Inside' },
            { value: 'out', label: 'Outside' },
          ],
        },
        owner: { type: 'relation', to: 'users' },
      },
    },
  },
}).fields.lines as FieldOf<'rows'>;

describe('a range of a spreadsheet', () => {
  test.each<[string, string[][]]>([
    [
      'a\tb\nc\td',
      [
        ['a', 'b'],
        ['c', 'd'],
      ],
    ],
    [
      'a\tb\r\nc\td\r\n',
      [
        ['a', 'b'],
        ['c', 'd'],
      ],
    ],
    ['"a\nb"\t"say ""so"""\nc', [['a\nb', 'say "so"'], ['c']]],
    ['"tab\tin it"\tb', [['tab\tin it', 'b']]],
    ['5" pipe\t"x" y', [['5" pipe', '"x" y']]],
    [
      'a\t\t\n\t\tb',
      [
        ['a', '', ''],
        ['', '', 'b'],
      ],
    ],
    ['', [['']]],
  ])('%j is read cell by cell', (text, cells) => expect(parseCells(text)).toEqual(cells));

  const paste = (rows: ResourceRecord[], row: number, column: number, text: string) =>
    pasteCells(lines, rows, { row, column }, parseCells(text), {
      fresh: () => ({ what: null, place: 'in' }),
      idOf: (_column, title) => (title === 'Ada' ? 7 : undefined),
    });

  test('is pasted by the types of the columns; an invalid value stays as text', () => {
    expect(
      paste([{ id: 1, what: 'old' }], 0, 0, 'x\t1,234.5\t2026-01-31\toutside\tada\nAda\tmuch\t\tMars\tAda'),
    ).toEqual([
      { id: 1, what: 'x', amount: 1234.5, day: '2026-01-31', place: 'out', owner: 'ada' },
      { what: 'Ada', amount: 'much', day: null, place: 'Mars', owner: 7 },
    ]);
  });

  test('begins at the cell, adds rows, and leaves out cells beyond the last column or the maximum of rows', () => {
    const rows = [
      { id: 1, what: 'a' },
      { id: 2, what: 'b' },
    ];
    expect(paste(rows, 1, 4, 'Ada\tbeyond\nAda\nAda\nAda')).toEqual([
      { id: 1, what: 'a' },
      { id: 2, what: 'b', owner: 7 },
      { what: null, place: 'in', owner: 7 },
      { what: null, place: 'in', owner: 7 },
    ]);
  });
});

test('a row is moved within the others, and stays beyond their ends', () => {
  const rows = ['a', 'b', 'c'].map((what) => ({ what }));
  const order = (from: number, to: number) =>
    moveRow(rows, from, to)
      .map(({ what }) => what)
      .join('');
  expect([order(0, 2), order(2, 0), order(1, 2), order(0, -1), order(2, 3)]).toEqual([
    'bca',
    'cab',
    'acb',
    'abc',
    'abc',
  ]);
});

describe('rows of two people are merged by their ids:', () => {
  const before = [
    { id: 1, what: 'a', amount: 1 },
    { id: 2, what: 'b', amount: 2 },
    { id: 3, what: 'c', amount: 3 },
  ];
  const [a, b, c] = before as unknown as [ResourceRecord, ResourceRecord, ResourceRecord];
  test.each<[string, ResourceRecord[], ResourceRecord[], ResourceRecord[]]>([
    [
      'cells of the same row',
      [{ ...a, what: 'mine' }, b, c],
      [{ ...a, amount: 9 }, b, c],
      [{ ...a, what: 'mine', amount: 9 }, b, c],
    ],
    [
      'rows that both added',
      [a, b, c, { what: 'mine' }],
      [a, b, c, { id: 4, what: 'theirs' }],
      [a, b, c, { what: 'mine' }, { id: 4, what: 'theirs' }],
    ],
    ['a row that I removed', [a, c], [a, b, c], [a, c]],
    ['a row that I removed and they changed', [a, c], [a, { ...b, amount: 5 }, c], [a, c, { ...b, amount: 5 }]],
    ['a row that they removed', [a, b, { ...c, amount: 7 }], [a, c], [a, { ...c, amount: 7 }]],
    ['a row that they removed and I changed', [a, { ...b, amount: 5 }, c], [a, c], [a, { what: 'b', amount: 5 }, c]],
    ['my order', [c, a, b], [a, b, { ...c, amount: 4 }], [{ ...c, amount: 4 }, a, b]],
  ])('%s', (_what, mine, theirs, merged) => expect(mergeRows(before, mine, theirs)).toEqual(merged));
});

describe('rows that insert those of a record', () => {
  const steps = definition({
    fields: {
      lines: {
        type: 'rows',
        maxItems: 4,
        insertedRows: 'part_id.lines',
        fields: { what: { type: 'text' }, part_id: { type: 'relation', to: 'users' } },
      },
    },
  }).fields.lines as FieldOf<'rows'>;
  const part = insertingRow(steps, 7, [{ what: 'a' }, { what: 'b' }]);
  const rows = [{ id: 1, what: 'x', part_id: null }, part, { id: 2, what: 'y', part_id: null }];

  test('have no cells, and the numbers of the rows that they stand for', () => {
    expect(part).toEqual({ what: null, part_id: 7, inserted: [{ what: 'a' }, { what: 'b' }] });
    expect(rowNumbers(steps, rows)).toEqual([1, 2, 4]);
  });

  test('are detached: the rows are new ones of the form', () => {
    expect(detachRow(steps, rows, 1)).toEqual([
      rows[0],
      { what: 'a', part_id: null },
      { what: 'b', part_id: null },
      rows[2],
    ]);
  });

  test('are copied as a reference; a copy of a stored row is new', () => {
    expect(copyRow(rows, 1)[2]).toEqual(part);
    expect(copyRow(rows, 0)[1]).toEqual({ what: 'x', part_id: null });
  });

  test('are made of own rows that follow each other', () => {
    const shared = (...places: number[]) => canBeShared(steps, rows, new Set(places));
    expect([shared(0), shared(0, 2), shared(0, 1), shared()]).toEqual([true, false, false, false]);
    // A row that an undo has taken away.
    expect(shared(rows.length)).toBe(false);
  });

  test('move below rows pasted before them, and none is lost', () => {
    const options = { fresh: () => ({ what: null }), idOf: () => undefined };
    const pasted = pasteCells(steps, rows, { row: 0, column: 0 }, parseCells('1\n2\n3'), options);
    expect(pasted).toEqual([{ id: 1, what: '1', part_id: null }, { what: '2' }, part, rows[2]]);
  });
});
