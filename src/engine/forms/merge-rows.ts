import type { ResourceRecord } from '../definitions/definition';
import { isEqualJson } from '../values/equal-values';

type Rows = readonly ResourceRecord[];

/**
 * Merges the rows of two people who began with the same ones: what I changed in a row is put upon theirs, my new rows
 * are added, and a row that one of us removed stays removed, unless the other changed it. The order is mine where both
 * have a row.
 *
 * @example
 * mergeRows([{ id: 1, a: 1, b: 1 }], [{ id: 1, a: 2, b: 1 }], [{ id: 1, a: 1, b: 3 }]); // [{ id: 1, a: 2, b: 3 }]
 */
export function mergeRows(baseRows: Rows, myRows: Rows, theirRows: Rows): Rows {
  const [baseById, theirById] = [byId(baseRows), byId(theirRows)];
  const myById = byId(myRows);
  const mergedRows = myRows.flatMap((row) => {
    const baseRow = baseById.get(row.id);
    const theirRow = theirById.get(row.id);
    if (row.id === undefined || !baseRow) return [row];
    const isMine = !isEqualJson(baseRow, row);
    // Removed by them: what I changed comes back as a new row.
    if (!theirRow) return isMine ? [withoutId(row)] : [];
    const changedCells = Object.entries(row).filter(
      ([name, cell]) => !isEqualJson(baseRow[name] ?? null, cell ?? null),
    );
    return [{ ...theirRow, ...Object.fromEntries(changedCells) }];
  });
  const addedRows = theirRows.filter((row) => {
    if (myById.has(row.id)) return false;
    const baseRow = baseById.get(row.id);
    return !baseRow || !isEqualJson(baseRow, row);
  });
  return [...mergedRows, ...addedRows];
}

const byId = (rows: Rows) => new Map(rows.filter(({ id }) => id !== undefined).map((row) => [row.id, row]));

function withoutId({ id: _id, ...row }: ResourceRecord): ResourceRecord {
  return row;
}
