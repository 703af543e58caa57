import type { Definition } from '../../engine/definitions/definition';
import { rowColumnAt } from '../../engine/definitions/row-definition';
import type { MatchedColumn } from '../../engine/imports/headings';
import type { JoinedRow, SheetRow } from '../../engine/imports/join-rows';

/** The columns of a file as those of the rows in a field: the others fill nothing. */
export function columnsOfRows(
  columns: readonly MatchedColumn[],
  definition: Definition,
  name: string,
): readonly MatchedColumn[] {
  return columns.map((column) => {
    const found = column.field === null ? undefined : rowColumnAt(definition, column.field);
    return { ...column, field: found?.field.name === name ? found.column.name : null };
  });
}

/**
 * The rows of a sheet that say something about rows with these columns: each is a row of the record. Where several
 * columns fill one column of the rows, the first of them has all texts, below each other, and the others are empty.
 */
export function linesOf(columns: readonly MatchedColumn[], { rows }: JoinedRow): readonly SheetRow[] {
  const places = new Map<string, number[]>();
  columns.forEach(({ field }, index) => {
    if (field !== null) places.set(field, [...(places.get(field) ?? []), index]);
  });
  const filled = [...places.values()].flat();
  const joined = [...places.values()].filter((indexes) => indexes.length > 1);
  const lines = rows.filter(({ cells }) => filled.some((index) => (cells[index] ?? '').trim() !== ''));
  if (joined.length === 0) return lines;
  return lines.map((line) => {
    const cells = [...line.cells];
    for (const [first, ...others] of joined) {
      const texts = [first!, ...others].map((index) => (line.cells[index] ?? '').trim());
      cells[first!] = texts.filter((text) => text !== '').join('\n');
      for (const index of others) cells[index] = '';
    }
    return { ...line, cells };
  });
}
