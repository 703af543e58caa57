import type { ResourceRecord } from '../definitions/definition';
import { isEqualJson } from '../validation/equal-values';

type Rows = readonly ResourceRecord[];

/**
 * Merges the rows of two people who began with the same ones: what I changed in a row is put upon theirs, my new rows
 * are added, and a row that one of us removed stays removed, unless the other changed it. The order is mine where both
 * have a row.
 *
 * @example
 * mergeRows([{ id: 1, a: 1, b: 1 }], [{ id: 1, a: 2, b: 1 }], [{ id: 1, a: 1, b: 3 }]); // [{ id: 1, a: 2, b: 3 }]
 */
export function mergeRows(before: Rows, mine: Rows, theirs: Rows): Rows {
  const [was, their] = [byId(before), byId(theirs)];
  const own = byId(mine);
  const merged = mine.flatMap((row) => {
    const old = was.get(row.id);
    const other = their.get(row.id);
    if (row.id === undefined || !old) return [row];
    const isMine = !isEqualJson(old, row);
    // Removed by them: what I changed comes back as a new row.
    if (!other) return isMine ? [withoutId(row)] : [];
    const changed = Object.entries(row).filter(([name, cell]) => !isEqualJson(old[name] ?? null, cell ?? null));
    return [{ ...other, ...Object.fromEntries(changed) }];
  });
  const added = theirs.filter((row) => {
    if (own.has(row.id)) return false;
    const old = was.get(row.id);
    return !old || !isEqualJson(old, row);
  });
  return [...merged, ...added];
}

const byId = (rows: Rows) => new Map(rows.filter(({ id }) => id !== undefined).map((row) => [row.id, row]));

function withoutId({ id: _id, ...row }: ResourceRecord): ResourceRecord {
  return row;
}
