import type { SheetRow } from '../../../engine/imports/join-rows';
import { withLineBreaks } from './line-breaks';

/** A file as its cells were read: the first row that is not empty gives the headings. */
export interface SheetFile {
  readonly headings: readonly string[];
  readonly rows: readonly SheetRow[];
  /** Cells that hold a formula, `row:column` with the column from 0. */
  readonly formulas: readonly string[];
  readonly kind: 'xlsx' | 'xls' | 'csv';
  /** The sheet that these are the cells of, and all that can be read; null and none for text. */
  readonly sheet: string | null;
  readonly sheets: readonly SheetName[];
  /** Columns in which line breaks were written as `\\n`. */
  readonly breaks: readonly number[];
}

/** A sheet of a workbook, and its rows below the headings. */
export interface SheetName {
  readonly name: string;
  readonly rows: number;
}

/** Rows that an import takes at once, the headings aside. */
export const mostRows = 50_000;
/** Columns that an import takes. */
export const mostColumns = 200;
/** Letters of a cell; longer ones fit no field. */
export const longestCell = 100_000;
/** Letters of all cells together. A text that many cells share counts once for each of them. */
export const mostText = 20_000_000;
/** Cells that are not empty. */
export const mostCells = 2_000_000;

const words = (count: number) => count.toLocaleString('en');

/** A file that cannot be read; the message goes to the user as it is, with the sheets that could be read instead. */
export class UnreadableFile extends Error {
  constructor(
    message: string,
    readonly sheets: readonly SheetName[] = [],
    /** It is a text, whatever it is called. */
    readonly isText = false,
  ) {
    super(message);
  }
}

/** Builds a file out of rows of cells, each with its number; empty rows are left out. Throws UnreadableFile. */
export function sheetFile(
  kind: SheetFile['kind'],
  rows: Iterable<SheetRow>,
  formulas: readonly string[] = [],
  { sheet = null, sheets = [] }: Partial<Pick<SheetFile, 'sheet' | 'sheets'>> = {},
): SheetFile {
  const found: SheetRow[] = [];
  let [text, filled, width] = [0, 0, 0];
  for (const row of rows) {
    const { number, cells } = row;
    if (cells.every((cell) => cell.trim() === '')) continue;
    if (cells.length > mostColumns) {
      throw new UnreadableFile(`The file has more than ${mostColumns} columns. Remove those that are not needed.`);
    }
    for (const cell of cells) {
      if (cell.length > longestCell) {
        throw new UnreadableFile(`Row ${number} has a cell of more than ${words(longestCell)} letters.`);
      }
      text += cell.length;
      if (cell !== '') filled++;
    }
    if (text > mostText) {
      throw new UnreadableFile(
        `The cells of the file hold more than ${words(mostText)} letters together. Remove columns that are not needed, or import it in parts.`,
      );
    }
    if (filled > mostCells) {
      throw new UnreadableFile(
        `The file has more than ${words(mostCells)} filled cells. Remove columns that are not needed, or import it in parts.`,
      );
    }
    width = Math.max(width, cells.length);
    found.push(row);
    if (found.length > mostRows + 1) {
      throw new UnreadableFile(`The file has more than ${words(mostRows)} rows. Import it in parts.`);
    }
  }
  const [first, ...rest] = found;
  if (!first) throw new UnreadableFile('The file is empty.');
  if (rest.length === 0) throw new UnreadableFile('The file has headings, but no rows below them.');
  const { rows: below, breaks } = withLineBreaks(rest);
  return { kind, headings: distinct(padded(first.cells, width)), rows: below, formulas, sheet, sheets, breaks };
}

/** A heading that stands twice is told apart by a number; one that is missing gets the column's. */
function distinct(cells: readonly string[]): string[] {
  const seen = new Map<string, number>();
  return cells.map((cell, index) => {
    const heading = cell.trim().replace(/\s+/g, ' ').slice(0, 200) || `Column ${index + 1}`;
    const times = (seen.get(heading) ?? 0) + 1;
    seen.set(heading, times);
    return times === 1 ? heading : `${heading} (${times})`;
  });
}

/** Cells up to a width, those that are missing empty. */
export function padded(cells: readonly string[], width: number): readonly string[] {
  return cells.length >= width ? cells : [...cells, ...Array<string>(width - cells.length).fill('')];
}

/** What a file is by its content, whatever it is called: a workbook's first bytes tell it, all others are text. */
export function kindOf(bytes: Uint8Array): SheetFile['kind'] {
  const start = Buffer.from(bytes.subarray(0, 8)).toString('latin1');
  if (start.startsWith('PK')) return 'xlsx';
  return start === '\u00d0\u00cf\u0011\u00e0\u00a1\u00b1\u001a\u00e1' ? 'xls' : 'csv';
}
