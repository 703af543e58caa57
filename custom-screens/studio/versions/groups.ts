import type { Row } from '../../../src/engine/studio/lines';

/** The number (from 0) of each differing row's group; consecutive differing rows are one group. */
export function groupsOf(rows: readonly Row[]): Map<Row, number> {
  const groups = new Map<Row, number>();
  let number = -1;
  rows.forEach((row, index) => {
    if (row.kind === 'same') return;
    if (index === 0 || rows[index - 1]!.kind === 'same') number++;
    groups.set(row, number);
  });
  return groups;
}

/** The number of groups of differing rows. */
export function countGroups(rows: readonly Row[]): number {
  return new Set(groupsOf(rows).values()).size;
}
