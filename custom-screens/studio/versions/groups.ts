import type { Row } from '../../../src/engine/studio/lines';

/** The differences, numbered from 0: rows that differ and follow each other are one. */
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

/** How many differences there are. */
export function countGroups(rows: readonly Row[]): number {
  return new Set(groupsOf(rows).values()).size;
}
