import type { SheetRow } from '../../../engine/imports/join-rows';

/** A file as its cells were read: the first row that is not empty gives the headings. */
export interface SheetFile {
  readonly headings: readonly string[];
  readonly rows: readonly SheetRow[];
  /** Cells that hold a formula, `row:column` with the column from 0. */
  readonly formulas: readonly string[];
  readonly kind: 'xlsx' | 'xls' | 'csv';
}

/** Rows that an import takes at once, the headings aside. */
export const mostRows = 50_000;
/** Columns that an import takes. */
export const mostColumns = 200;
/** Letters of a cell; longer ones fit no field. */
export const longestCell = 100_000;

/** A file that cannot be read; the message goes to the user as it is. */
export class UnreadableFile extends Error {}

/** Builds a file out of rows of cells, each with its number; empty rows are left out. */
export function sheetFile(
  kind: SheetFile['kind'],
  rows: Iterable<SheetRow>,
  formulas: readonly string[] = [],
): SheetFile {
  const found: SheetRow[] = [];
  for (const { number, cells } of rows) {
    if (!cells.some((cell) => cell.trim() !== '')) continue;
    if (cells.length > mostColumns) {
      throw new UnreadableFile(`The file has more than ${mostColumns} columns.`);
    }
    if (cells.some((cell) => cell.length > longestCell)) {
      throw new UnreadableFile(`Row ${number} has a cell of more than ${longestCell.toLocaleString('en')} letters.`);
    }
    found.push({ number, cells });
    if (found.length > mostRows + 1) {
      throw new UnreadableFile(`The file has more than ${mostRows.toLocaleString('en')} rows. Import it in parts.`);
    }
  }
  const [first, ...rest] = found;
  if (!first) throw new UnreadableFile('The file is empty.');
  if (rest.length === 0) throw new UnreadableFile('The file has headings, but no rows below them.');
  const width = found.reduce((most, { cells }) => Math.max(most, cells.length), 0);
  const headings = distinct(padded(first.cells, width));
  return {
    kind,
    headings,
    rows: rest.map(({ number, cells }) => ({ number, cells: padded(cells, width) })),
    formulas,
  };
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

function padded(cells: readonly string[], width: number): readonly string[] {
  return cells.length >= width ? cells : [...cells, ...Array<string>(width - cells.length).fill('')];
}
