import type { SheetRow } from '../../../engine/imports/join-rows';
import { padCells, type SheetFile } from './sheet-file';

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
  for (const place of file.formulas) {
    const row = Number.parseInt(place, 10);
    const known = byRow.get(row);
    if (known) known.push(place);
    else byRow.set(row, [place]);
  }
  return (from) => {
    const rows: SheetRow[] = [];
    let text = 0;
    for (const { number, cells } of file.rows.slice(from, from + maxPageRows)) {
      const length = cells.reduce((sum, cell) => sum + cell.length, 0);
      if (rows.length > 0 && text + length > maxPageText) break;
      text += length;
      rows.push({ number, cells: padCells(cells, file.headings.length) });
    }
    return { rows, formulas: rows.flatMap(({ number }) => byRow.get(number) ?? []) };
  };
}
