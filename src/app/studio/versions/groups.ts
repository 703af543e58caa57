import type { DiffRow } from '../../../engine/studio/diff-lines';
import { itemAt } from '../../../engine/values/lookups';

/** The number (from 0) of each differing row's group; consecutive differing rows are one group. */
export function groupNumbers(rows: readonly DiffRow[]): Map<DiffRow, number> {
  const groups = new Map<DiffRow, number>();
  let number = -1;
  rows.forEach((row, index) => {
    if (row.kind === 'same') return;
    if (index === 0 || itemAt(rows, index - 1).kind === 'same') number++;
    groups.set(row, number);
  });
  return groups;
}

/** The number of groups of differing rows. */
export function countGroups(rows: readonly DiffRow[]): number {
  return new Set(groupNumbers(rows).values()).size;
}
