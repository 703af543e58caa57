// @module-tag slow
import { zipSync, unzipSync, strToU8 } from 'fflate';
import { utils, write } from 'xlsx';
import { describe, expect, test } from 'vitest';
import { openSheet } from '../../../src/server/imports/reading/open-sheet';
import { UnreadableFile } from '../../../src/server/imports/reading/sheet-file';
import { readFile } from './read-file';
import { book, csv, type Rows } from './files';

const rows: Rows = [
  ['Title', 'Größe', 'Note'],
  ['Crêpe – “one”', '1,5', 'a\nb'],
  ['Zwei; drei', '', 'tab\there'],
];
const read = [
  ['Crêpe – “one”', '1,5', 'a\nb'],
  ['Zwei; drei', '', 'tab\there'],
];
const utf16be = (text: string) => Buffer.from(text, 'utf16le').swap16();
/** What Windows-1252 has where Latin-1 has controls. */
const windows = (text: string) =>
  Buffer.from(
    text.replace(/[–“”]/g, (sign) => ({ '–': '\u0096', '“': '\u0093', '”': '\u0094' })[sign]!),
    'latin1',
  );

describe('files of all formats are read', () => {
  const text = csv(rows);
  test.each<[string, Buffer]>([
    ['.xlsx', book(rows)],
    ['.xls', book(rows, 'biff8')],
    ['UTF-8', Buffer.from(text)],
    ['UTF-8 with a mark', Buffer.from(`\ufeff${text}`)],
    ['UTF-16 little endian', Buffer.from(`\ufeff${text}`, 'utf16le')],
    ['UTF-16 big endian', utf16be(`\ufeff${text}`)],
    ['UTF-16 without a mark', Buffer.from(text, 'utf16le')],
    ['Windows-1252', windows(text)],
    ['semicolons', Buffer.from(csv(rows, ';'))],
    ['tabs', Buffer.from(csv(rows, '\t'))],
    ['pipes', Buffer.from(csv(rows, '|'))],
    ['carets', Buffer.from(csv(rows, '^'))],
    ['colons', Buffer.from(csv(rows, ':'))],
    ['a delimiter that its first line names', Buffer.from(`sep=~\r\n${csv(rows, '~')}`)],
  ])('%s', async (_, bytes) => {
    const file = await readFile(bytes);
    expect(file.headings).toEqual(['Title', 'Größe', 'Note']);
    expect(file.rows.map((row) => row.cells)).toEqual(read);
  });

  test('dates are read in every format, numbers have a decimal point, empty rows are skipped but numbered', async () => {
    const sheet = utils.aoa_to_sheet(
      [['Day', 'Number', 'Yes'], [new Date(Date.UTC(2026, 1, 28)), 1234.5, true], [], ['x', 'y']],
      { UTC: true },
    );
    sheet.A2!.z = 'd. mmmm yyyy';
    sheet.B2!.z = '#,##0.00';
    const made = utils.book_new();
    utils.book_append_sheet(made, sheet, 'One');
    for (const bookType of ['xlsx', 'biff8'] as const) {
      const file = await readFile(Buffer.from(write(made, { type: 'array', bookType }) as ArrayBuffer));
      expect(file.rows).toEqual([
        { number: 2, cells: ['2026-02-28', '1234.5', 'Yes'] },
        { number: 4, cells: ['x', 'y', ''] },
      ]);
    }
  });

  test('duplicate and missing headings become unique', async () => {
    expect((await readFile(Buffer.from('a,a,,b\n1,2,3,4'))).headings).toEqual(['a', 'a (2)', 'Column 3', 'b']);
  });

  test('formulas are read by their stored values, and reported where they have none', async () => {
    const sheet = utils.aoa_to_sheet([['Title'], ['x'], ['y']]);
    sheet.A2 = { t: 'n', f: 'WEBSERVICE("http://example.com")', v: 1 };
    sheet.A3 = { t: 'e', f: 'NA()', v: 42 };
    const made = utils.book_new();
    utils.book_append_sheet(made, sheet, 'One');
    const file = await readFile(Buffer.from(write(made, { type: 'array' }) as ArrayBuffer));
    expect([file.rows, file.formulas]).toMatchObject([[{ cells: ['1'] }, { cells: ['#N/A'] }], ['3:0']]);
  });
});

const parts = () => unzipSync(book(rows));
const withPart = (name: string, bytes: Uint8Array) => Buffer.from(zipSync({ ...parts(), [name]: bytes }, { level: 1 }));
const sheetOf = (xml: string) => withPart('xl/worksheets/sheet1.xml', strToU8(xml));
const worksheet = (inner: string) =>
  `<?xml version="1.0"?><worksheet xmlns="http://schemas.openxmlformats.org/spreadsheetml/2006/main"><dimension ref="A1:XFD1048576"/><sheetData>${inner}</sheetData></worksheet>`;
const textCell = (place: string, text: string) => `<c r="${place}" t="inlineStr"><is><t>${text}</t></is></c>`;

/** A workbook whose cells of column A, headings aside, all show one text. */
const sharing = (count: number, text: string) => {
  const sheet = strToU8(
    worksheet(
      `<row r="1">${textCell('A1', 'Title')}</row>${cells(count, 1, (place) => `<c r="${place}" t="s"><v>0</v></c>`)}`,
    ),
  );
  const strings = strToU8(
    `<sst xmlns="http://schemas.openxmlformats.org/spreadsheetml/2006/main"><si><t>${text}</t></si></sst>`,
  );
  const made = unzipSync(
    write({ SheetNames: ['Rows'], Sheets: { Rows: utils.aoa_to_sheet([['x']]) } }, { type: 'buffer', bookSST: true }),
  );
  return Buffer.from(zipSync({ ...made, 'xl/worksheets/sheet1.xml': sheet, 'xl/sharedStrings.xml': strings }));
};
/** Rows from the second on, each of as many cells. */
const cells = (rows: number, columns: number, cell: (place: string) => string) =>
  Array.from(
    { length: rows },
    (_, row) =>
      `<row r="${row + 2}">${Array.from({ length: columns }, (_, column) => cell(`${utils.encode_col(column)}${row + 2}`)).join('')}</row>`,
  ).join('');

const bomb = () => withPart('xl/worksheets/sheet1.xml', new Uint8Array(50 * 1024 * 1024));
const crowd = () =>
  Buffer.from(
    zipSync(Object.fromEntries(Array.from({ length: 2_001 }, (_, index) => [`${index}.xml`, strToU8('<a/>')]))),
  );
/** An archive whose directory declares another number at an offset of each of its entries. */
const declaring = (archive: Buffer, place: { at: number; bytes: number }, value: number) => {
  const bytes = Buffer.from(archive);
  const signature = Buffer.from('PK\u0001\u0002', 'latin1');
  for (let entry = bytes.indexOf(signature); entry >= 0; entry = bytes.indexOf(signature, entry + 4))
    bytes.writeUIntLE(value, entry + place.at, place.bytes);
  return bytes;
};

describe('malicious and corrupt files are rejected with a message, within limits', () => {
  const good = book(rows);
  test.each<[string, () => Buffer, RegExp]>([
    ['a zip bomb', () => bomb(), /unpacked size is far larger/],
    [
      'a bomb beside the sheet',
      () => withPart('xl/sharedStrings.xml', new Uint8Array(50 * 1024 * 1024)),
      /unpacked size is far larger/,
    ],
    [
      'a program',
      () => Buffer.concat([Buffer.from('MZ\u0090\u0000\u0003', 'latin1'), Buffer.alloc(2_000, 7)]),
      /not a spreadsheet/,
    ],
    [
      'an ELF program',
      () => Buffer.concat([Buffer.from('\u007fELF\u0002\u0001', 'latin1'), Buffer.alloc(2_000)]),
      /not a spreadsheet/,
    ],
    ['a web page', () => Buffer.from('<!doctype html><table><tr><td>a</td></tr></table>'), /not a spreadsheet/],
    ['a picture', () => Buffer.from('\u0089PNG\r\n\u001a\n\u0000\u0000\u0000\rIHDR', 'latin1'), /not a spreadsheet/],
    ['a PDF', () => Buffer.from('%PDF-1.7\n1 0 obj'), /not a spreadsheet/],
    ['an archive without a workbook', () => Buffer.from(zipSync({ 'a.txt': strToU8('a') })), /not a spreadsheet/],
    [
      'a zip bomb that declares a small size',
      () => declaring(bomb(), { at: 24, bytes: 4 }, 1_000),
      /unpacked size is far larger/,
    ],
    ['an archive with too many parts', () => crowd(), /unpacked size is far larger/],
    [
      'an archive with a password',
      () => declaring(withPart('a.xml', strToU8('<a/>')), { at: 8, bytes: 2 }, 1),
      /password/,
    ],
    ['an unknown compression method', () => declaring(good, { at: 10, bytes: 2 }, 12), /corrupt/],
    ['half an archive', () => good.subarray(0, good.length / 2), /corrupt/],
    [
      'an archive with a broken part',
      () => {
        const bytes = Buffer.from(good);
        bytes.fill(0xff, 200, 900);
        return bytes;
      },
      /corrupt/,
    ],
    ['half an .xls', () => book(rows, 'biff8').subarray(0, 900), /corrupt|not a spreadsheet|empty/],
    [
      'a million empty rows',
      () => sheetOf(worksheet(Array.from({ length: 1_000_000 }, (_, index) => `<row r="${index + 1}"/>`).join(''))),
      /empty/,
    ],
    [
      'cells far away',
      () => sheetOf(worksheet(`<row r="1">${textCell('A1', 'Title')}${textCell('XFD1', 'b')}</row>`)),
      /more than 200 columns/,
    ],
    ['a quotation mark that is never closed', () => Buffer.from('a,b\n"x,y\nz,w'), /quotation mark/],
    ['too many rows', () => Buffer.from(`a,b\n${'x,y\n'.repeat(60_000)}`), /more than 50,000 rows/],
    [
      'too many columns',
      () => Buffer.from(`${Array.from({ length: 300 }, (_, i) => `c${i}`).join(',')}\n${'1,'.repeat(299)}1`),
      /more than 200 columns/,
    ],
    [
      'a long text that 49,000 cells share',
      () => sharing(49_000, 'x'.repeat(99_000)),
      /more than 20,000,000 characters/,
    ],
    [
      'a text that is too long for every field',
      () => sharing(1, 'x'.repeat(100_001)),
      /Row 2 has a cell with more than 100,000 characters/,
    ],
    ['one gigantic cell of text', () => Buffer.from(`a,b\n"${'x'.repeat(4_000_000)}",y`), /Row 2 has a cell with more/],
    ['a row of nothing but delimiters', () => Buffer.from(`a,b\n${','.repeat(4_000_000)}`), /empty|no rows|columns/],
    [
      'more cells than memory',
      () => sheetOf(worksheet(cells(48_000, 45, (place) => `<c r="${place}"><v>1</v></c>`))),
      /too much time or memory|filled cells/,
    ],
    ['elements within elements', () => sheetOf(worksheet('<row>'.repeat(1_000_000))), /corrupt|empty|time or memory/],
    ['nothing', () => Buffer.from(' \n\n'), /empty/],
    ['headings alone', () => Buffer.from('a,b\n'), /no rows/],
  ])('%s', async (_, make, message) => {
    const bytes = make();
    const before = process.memoryUsage().rss;
    const began = Date.now();
    await expect(readFile(bytes)).rejects.toThrow(message);
    expect(Date.now() - began).toBeLessThan(35_000);
    expect(process.memoryUsage().rss - before).toBeLessThan(800 * 1024 * 1024);
  });

  test('rows after a million empty ones are ignored, those before are read', async () => {
    const file = await readFile(
      sheetOf(
        worksheet(
          `<row r="1">${textCell('A1', 'Title')}</row><row r="2">${textCell('A2', 'x')}</row><row r="1048576">${textCell('A1048576', 'y')}</row>`,
        ),
      ),
    );
    expect(file.rows).toEqual([{ number: 2, cells: ['x'] }]);
  });

  test('a long formula shared by all cells costs no more than a short one', async () => {
    const long = `<f t="shared" ref="A2:A9000" si="0">${'A1+'.repeat(20_000)}1</f>`;
    const shared = cells(
      9_000,
      1,
      (place) => `<c r="${place}">${place === 'A2' ? long : '<f t="shared" si="0"/>'}<v>1</v></c>`,
    );
    const file = await readFile(sheetOf(worksheet(`<row r="1">${textCell('A1', 'Title')}</row>${shared}`)));
    expect(file.rows).toHaveLength(9_000);
    expect(file.rows[0]!.cells).toEqual(['1']);
    expect(file.formulas).toEqual([]);
  });

  test('a file is read page by page, from any row', async () => {
    const sheet = await openSheet(book([['Title'], ...Array.from({ length: 1_200 }, (_, index) => [`Row ${index}`])]));
    const sizes: number[] = [];
    for await (const { rows } of sheet.pages(100)) sizes.push(rows.length);
    await sheet.close();
    expect([sheet.total, sizes]).toEqual([1_200, [500, 500, 100]]);
    await expect(sheet.pages().next()).rejects.toThrow(UnreadableFile);
  });

  test('the event loop is not blocked while a file is read', async () => {
    let turns = 0;
    const timer = setInterval(() => turns++, 5);
    const big: Rows = [['Title'], ...Array.from({ length: 20_000 }, (_, index) => [`Row ${index} ${'x'.repeat(100)}`])];
    await readFile(book(big));
    clearInterval(timer);
    expect(turns).toBeGreaterThan(10);
  });
});
