import type { Definition } from '../../engine/definitions/definition';
import { rowColumnAt } from '../../engine/field-types/row-definition';
import type { MatchedColumn } from '../../engine/imports/headings';
import type { JoinedRow, SheetRow } from '../../engine/imports/join-rows';
import { firstOf } from '../../engine/values/lookups';

/** The columns of a file as those of the rows in a field: the others fill nothing. */
export function columnsOfRows(
  columns: readonly MatchedColumn[],
  definition: Definition,
  name: string,
): readonly MatchedColumn[] {
  return columns.map((column) => {
    const rowColumn = column.field === null ? undefined : rowColumnAt(definition, column.field);
    return { ...column, field: rowColumn?.field.name === name ? rowColumn.column.name : null };
  });
}

/**
 * The rows of a sheet that say something about rows with these columns: each is a row of the record. Where several
 * columns fill one column of the rows, the first of them has all texts, below each other, and the others are empty.
 */
export function linesOf(columns: readonly MatchedColumn[], { rows }: JoinedRow): readonly SheetRow[] {
  const indexesByKey = new Map<string, number[]>();
  columns.forEach(({ field }, index) => {
    if (field !== null) indexesByKey.set(field, [...(indexesByKey.get(field) ?? []), index]);
  });
  const filledIndexes = [...indexesByKey.values()].flat();
  const joinedIndexes = [...indexesByKey.values()].filter((indexes) => indexes.length > 1);
  const lines = rows.filter(({ cells }) => filledIndexes.some((index) => (cells[index] ?? '').trim() !== ''));
  if (joinedIndexes.length === 0) return lines;
  return lines.map((line) => {
    const cells = [...line.cells];
    for (const indexes of joinedIndexes) {
      const texts = indexes.map((index) => (line.cells[index] ?? '').trim());
      for (const index of indexes) cells[index] = '';
      cells[firstOf(indexes)] = texts.filter((text) => text !== '').join('\n');
    }
    return { ...line, cells };
  });
}
