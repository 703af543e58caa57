import type { ResourceRecord } from '../../engine/definitions/definition';
import { isEmpty } from '../../engine/values/is-empty';
import { itemAt } from '../../engine/values/lookups';

/** The rows that a record shall have, and the cells of the file that say what is stored. */
export interface ComparedRows {
  /** Undefined if all rows stay as they are. */
  readonly rows: readonly ResourceRecord[] | undefined;
  readonly same: readonly (readonly [row: number, column: string])[];
}

/**
 * Compares the rows of a record in a file with the stored ones. Rows at the beginning and at the end that are as stored
 * are these; of those between, each replaces the stored one in its turn. A row keeps the cells whose columns are not in
 * the file. Stored rows without a cell in these columns are not in a file at all: they stay, behind the others, if they
 * have anything in other columns.
 */
export function compareRows(
  columns: readonly string[],
  storedRows: readonly ResourceRecord[],
  fileRows: readonly ResourceRecord[],
  isSame: (stored: ResourceRecord, sent: number, column: string) => boolean,
): ComparedRows {
  const isThere = (row: ResourceRecord) => columns.some((name) => !isEmpty(row[name]));
  const visibleRows = storedRows.filter(isThere);
  const shorter = Math.min(visibleRows.length, fileRows.length);
  const isSameRow = (row: ResourceRecord, position: number) => columns.every((name) => isSame(row, position, name));
  let matchingBefore = 0;
  while (matchingBefore < shorter && isSameRow(itemAt(visibleRows, matchingBefore), matchingBefore)) matchingBefore++;
  let matchingAfter = 0;
  while (
    matchingAfter < shorter - matchingBefore &&
    isSameRow(itemAt(visibleRows, -1 - matchingAfter), fileRows.length - 1 - matchingAfter)
  )
    matchingAfter++;

  const matchingCells: [number, string][] = [];
  const rows = fileRows.map((cells, position): ResourceRecord => {
    const isBelow = position >= fileRows.length - matchingAfter;
    const row = isBelow
      ? visibleRows[position - fileRows.length + visibleRows.length]
      : position < visibleRows.length - matchingAfter
        ? visibleRows[position]
        : undefined;
    if (!row) return cells;
    const matchingColumns = columns.filter((name) => isSame(row, position, name));
    matchingCells.push(...matchingColumns.map((name): [number, string] => [position, name]));
    const changedColumns = columns.filter((name) => !matchingColumns.includes(name));
    return { id: row.id, ...Object.fromEntries(changedColumns.map((name) => [name, cells[name] ?? null])) };
  });
  const isUnchanged = matchingBefore + matchingAfter === fileRows.length && fileRows.length === visibleRows.length;
  const hidden = storedRows.filter(
    (row) => !isThere(row) && Object.entries(row).some(([name, cell]) => name !== 'id' && !isEmpty(cell)),
  );
  return { rows: isUnchanged ? undefined : [...rows, ...hidden.map(({ id }) => ({ id }))], same: matchingCells };
}
