import type { ResourceRecord } from '../../engine/definitions/definition';
import { isEmpty } from '../../engine/values/is-empty';

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
  stored: readonly ResourceRecord[],
  sent: readonly ResourceRecord[],
  isSame: (stored: ResourceRecord, sent: number, column: string) => boolean,
): ComparedRows {
  const isThere = (row: ResourceRecord) => columns.some((name) => !isEmpty(row[name]));
  const shown = stored.filter(isThere);
  const shorter = Math.min(shown.length, sent.length);
  const isSameRow = (row: ResourceRecord, at: number) => columns.every((name) => isSame(row, at, name));
  let above = 0;
  while (above < shorter && isSameRow(shown[above]!, above)) above++;
  let below = 0;
  while (below < shorter - above && isSameRow(shown.at(-1 - below)!, sent.length - 1 - below)) below++;

  const same: [number, string][] = [];
  const rows = sent.map((cells, at): ResourceRecord => {
    const isBelow = at >= sent.length - below;
    const row = isBelow ? shown[at - sent.length + shown.length] : at < shown.length - below ? shown[at] : undefined;
    if (!row) return cells;
    const own = columns.filter((name) => isSame(row, at, name));
    same.push(...own.map((name): [number, string] => [at, name]));
    const changed = columns.filter((name) => !own.includes(name));
    return { id: row.id, ...Object.fromEntries(changed.map((name) => [name, cells[name] ?? null])) };
  });
  const isUnchanged = above + below === sent.length && sent.length === shown.length;
  const hidden = stored.filter(
    (row) => !isThere(row) && Object.entries(row).some(([name, cell]) => name !== 'id' && !isEmpty(cell)),
  );
  return { rows: isUnchanged ? undefined : [...rows, ...hidden.map(({ id }) => ({ id }))], same };
}
