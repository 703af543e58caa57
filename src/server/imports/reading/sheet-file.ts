import { normaliseHeading } from '../../../engine/imports/headings';
import type { SheetRow } from '../../../engine/imports/join-rows';
import { firstOf, itemAt } from '../../../engine/values/lookups';

/** The cells of a file: the headings, and the rows below them. */
export interface SheetFile {
  readonly headings: readonly string[];
  readonly rows: readonly SheetRow[];
  /** The number of the row with the headings. */
  readonly headingRow: number;
  /** Columns whose merged cells gave their value to all rows that they cover. */
  readonly mergedColumns: readonly number[];
  /** The positions of formulas without a value, `row:column` with the column from 0. */
  readonly formulas: readonly string[];
  readonly kind: 'xlsx' | 'xls' | 'csv' | 'xml' | 'json';
  /** The sheet that was read, and all that can be read; null and empty for text files. */
  readonly sheet: string | null;
  readonly sheets: readonly SheetName[];
  /** Columns in which line breaks were written as `\\n`. */
  readonly lineBreakColumns: readonly number[];
}

/** A sheet of a workbook and the number of rows below its headings. */
export interface SheetName {
  readonly name: string;
  readonly rows: number;
}

/** Maximum number of rows of an import, not counting the headings. */
export const maxRows = 50_000;
/** Maximum number of columns of an import. */
export const maxColumns = 200;
/** Maximum characters of a cell; longer ones do not fit any field. */
const maxCellLength = 100_000;
/** Maximum characters of all cells. A text shared by many cells counts once for each of them. */
const maxTextLength = 20_000_000;
/** Maximum number of non-empty cells. */
const maxCells = 2_000_000;

const formatCount = (count: number) => count.toLocaleString('en');

/** An unreadable file; the message is shown to the user as it is, with the sheets that could be read instead. */
export class UnreadableFile extends Error {
  constructor(
    message: string,
    readonly sheets: readonly SheetName[] = [],
    /** It is a text file, whatever its name. */
    readonly isText = false,
  ) {
    super(message);
  }
}

/** Rows among which the headings are looked for. */
const maxRowsAbove = 10;

/**
 * The index of the row with the headings: the first, unless a title is above them. That is a row without a known
 * heading, or of one cell alone, while one of the next rows has several known headings; or a row of one cell, while the
 * next has several and none is known.
 */
export function headingIndex(rows: readonly (readonly string[])[], knownHeadings: ReadonlySet<string>): number {
  const first = rows.slice(0, maxRowsAbove);
  if (first.length === 0) return 0;
  const counts = first.map(
    (cells) => new Set(cells.map(normaliseHeading).filter((heading) => knownHeadings.has(heading))).size,
  );
  const filledCounts = first.map((cells) => cells.filter((cell) => cell.trim() !== '').length);
  const bestIndex = counts.reduce(
    (bestSoFar, count, index) => (count > itemAt(counts, bestSoFar) ? index : bestSoFar),
    0,
  );
  if (firstOf(counts) > 0 && (firstOf(filledCounts) > 1 || itemAt(counts, bestIndex) <= 1)) return 0;
  if (itemAt(counts, bestIndex) > 1) return bestIndex;
  if (firstOf(filledCounts) > 1) return 0;
  const next = filledCounts.findIndex((count) => count > 1);
  return Math.max(next, 0);
}

/** Builds a file from numbered rows of cells, without empty rows. Throws UnreadableFile. */
export function createSheetFile(
  kind: SheetFile['kind'],
  rows: Iterable<SheetRow>,
  formulas: readonly string[] = [],
  {
    sheet = null,
    sheets = [],
    knownHeadings = [],
  }: Partial<Pick<SheetFile, 'sheet' | 'sheets'>> & { readonly knownHeadings?: readonly string[] } = {},
): SheetFile {
  const sheetRows: SheetRow[] = [];
  let [text, filledCells, width] = [0, 0, 0];
  for (const row of rows) {
    const { number, cells } = row;
    if (cells.every((cell) => cell.trim() === '')) continue;
    if (cells.length > maxColumns) {
      throw new UnreadableFile(`The file has more than ${maxColumns} columns. Remove those that are not needed.`);
    }
    for (const cell of cells) {
      if (cell.length > maxCellLength) {
        throw new UnreadableFile(`Row ${number} has a cell with more than ${formatCount(maxCellLength)} characters.`);
      }
      text += cell.length;
      if (cell !== '') filledCells++;
    }
    if (text > maxTextLength) {
      throw new UnreadableFile(
        `The file contains more than ${formatCount(maxTextLength)} characters. Remove columns that are not needed, or import it in parts.`,
      );
    }
    if (filledCells > maxCells) {
      throw new UnreadableFile(
        `The file has more than ${formatCount(maxCells)} filled cells. Remove columns that are not needed, or import it in parts.`,
      );
    }
    width = Math.max(width, cells.length);
    sheetRows.push(row);
    if (sheetRows.length > maxRows + 1) {
      throw new UnreadableFile(`The file has more than ${formatCount(maxRows)} rows. Import it in parts.`);
    }
  }
  if (sheetRows.length === 0) throw new UnreadableFile('The file is empty.');
  const isDocument = kind === 'xml' || kind === 'json';
  const rowsAbove = isDocument
    ? 0
    : headingIndex(
        sheetRows.slice(0, maxRowsAbove).map(({ cells }) => cells),
        new Set(knownHeadings),
      );
  const first = itemAt(sheetRows, rowsAbove);
  const rest = sheetRows.slice(rowsAbove + 1);
  if (rest.length === 0) throw new UnreadableFile('The file has headings, but no rows below them.');
  const { rows: rowsBelow, lineBreakColumns } = isDocument
    ? { rows: rest, lineBreakColumns: [] }
    : replaceWrittenLineBreaks(rest);
  return {
    kind,
    headings: uniqueHeadings(padCells(first.cells, width)),
    headingRow: first.number,
    mergedColumns: [...new Set(rowsBelow.flatMap(({ repeated: repeatedColumns = [] }) => repeatedColumns))].sort(
      (left, right) => left - right,
    ),
    rows: rowsBelow,
    formulas: formulas.filter((position) => Number.parseInt(position, 10) > first.number),
    sheet,
    sheets,
    lineBreakColumns,
  };
}

/** Makes headings unique: duplicates get a number, missing ones the number of their column. */
function uniqueHeadings(cells: readonly string[]): string[] {
  const headingCounts = new Map<string, number>();
  return cells.map((cell, index) => {
    const heading = cell.trim().replace(/\s+/g, ' ').slice(0, 200) || `Column ${index + 1}`;
    const times = (headingCounts.get(heading) ?? 0) + 1;
    headingCounts.set(heading, times);
    return times === 1 ? heading : `${heading} (${times})`;
  });
}

/** Pads cells to a width with empty ones. */
function padCells(cells: readonly string[], width: number): readonly string[] {
  return cells.length >= width ? cells : [...cells, ...Array<string>(width - cells.length).fill('')];
}

/** Detects the type of a file by its content: workbooks by their first bytes, anything else is text. */
export function detectFileKind(bytes: Uint8Array): 'xlsx' | 'xls' | 'csv' {
  const start = Buffer.from(bytes.subarray(0, 8)).toString('latin1');
  if (start.startsWith('PK')) return 'xlsx';
  return start === '\u00d0\u00cf\u0011\u00e0\u00a1\u00b1\u001a\u00e1' ? 'xls' : 'csv';
}

/** Consecutive rows of a file, as many as are passed between threads at once. */
export interface SheetPage {
  readonly rows: readonly SheetRow[];
  /** The positions of formulas, `row:column` with the column from 0. */
  readonly formulas: readonly string[];
}

const maxPageRows = 500;
/** Maximum characters of a page; a page has at least one row. */
const maxPageText = 1_000_000;

/** Returns a function that returns the page at a row, counted from 0 below the headings. */
export function createPager(file: SheetFile): (from: number) => SheetPage {
  const byRow = new Map<number, string[]>();
  for (const position of file.formulas) {
    const row = Number.parseInt(position, 10);
    const rowFormulas = byRow.get(row);
    if (rowFormulas) rowFormulas.push(position);
    else byRow.set(row, [position]);
  }
  return (start) => {
    const rows: SheetRow[] = [];
    let text = 0;
    for (const row of file.rows.slice(start, start + maxPageRows)) {
      const { cells, files } = row;
      const length = cells.reduce((sum, cell) => sum + cell.length, encodedLength(files));
      if (rows.length > 0 && text + length > maxPageText) break;
      text += length;
      rows.push({ ...row, cells: padCells(cells, file.headings.length) });
    }
    return { rows, formulas: rows.flatMap(({ number }) => byRow.get(number) ?? []) };
  };
}

const encodedLength = (files: SheetRow['files'] = []) =>
  files.reduce((sum, file) => sum + ('base64' in file ? file.base64.length : 0), 0);

/** `\n` as two characters, except after a drive letter as in `C:\new`. */
const writtenLineBreak = /(?<![A-Za-z]:)(?:\\r)?\\n/;
const writtenLineBreaks = new RegExp(writtenLineBreak, 'g');

/** A Windows or network path. */
const filePath = /(^|\s)([A-Za-z]:\\|\\\\\w)/;

/**
 * Finds columns in which line breaks are written as `\n`: most of their cells contain it, and none has a real line
 * break. Returns the rows with real line breaks there, and the columns.
 */
function replaceWrittenLineBreaks(rows: readonly SheetRow[]): {
  rows: readonly SheetRow[];
  lineBreakColumns: readonly number[];
} {
  const counts: { cellCount: number; written: number; real: boolean }[] = [];
  for (const { cells } of rows) {
    cells.forEach((cell, index) => {
      if (cell.trim() === '') return;
      const count = (counts[index] ??= { cellCount: 0, written: 0, real: false });
      count.cellCount++;
      if (writtenLineBreak.test(cell) && !filePath.test(cell)) count.written++;
      count.real ||= cell.includes('\n');
    });
  }
  const lineBreakColumns = Object.entries(counts).flatMap(([index, { cellCount, written: writtenCount, real }]) =>
    !real && writtenCount > cellCount / 2 ? [Number(index)] : [],
  );
  if (lineBreakColumns.length === 0) return { rows, lineBreakColumns };
  const isBroken = new Set(lineBreakColumns);
  const replacedRows = rows.map((row) => ({
    ...row,
    cells: row.cells.map((cell, index) => (isBroken.has(index) ? cell.replace(writtenLineBreaks, '\n') : cell)),
  }));
  return { rows: replacedRows, lineBreakColumns };
}
