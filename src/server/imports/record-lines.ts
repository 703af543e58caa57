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

/** The rows of a sheet that say something about rows with these columns: each is a row of the record. */
export function linesOf(columns: readonly MatchedColumn[], { rows }: JoinedRow): readonly SheetRow[] {
  const filled = columns.flatMap(({ field }, index) => (field === null ? [] : [index]));
  return rows.filter(({ cells }) => filled.some((index) => (cells[index] ?? '').trim() !== ''));
}
