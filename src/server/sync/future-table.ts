import type { Definition } from '../../engine/definitions/definition';
import { quoteIdentifier, qualifiedTable, type TargetTable } from './target-schema';
import type { StoredTable } from './plan-renames';
import { convertedColumn, renamedColumnValues, withRenamedValues } from './renamed-values';

/**
 * The rows of a stored table as they will be after renaming, adding and converting its columns and renaming values of
 * options, as an SQL `from` item, so that rule violations can be counted before anything changes. `previousDefinition`:
 * the definition of these rows until now.
 */
export function futureTableSql(
  table: TargetTable,
  storedTable: StoredTable,
  previousDefinition?: Pick<Definition, 'fields'>,
): string {
  let isSame = storedTable.table === table.name;
  const columns = table.columns.map((column) => {
    const { name, type, fill } = column;
    const storedColumn = storedTable.columns.get(name);
    const values = renamedColumnValues(table, name, previousDefinition);
    if (storedColumn?.name === name && storedColumn.type === type && values.length === 0) return quoteIdentifier(name);
    isSame = false;
    if (!storedColumn) return `${fill ?? `null::${type}`} as ${quoteIdentifier(name)}`;
    return `${withRenamedValues(convertedColumn(column, storedColumn), type, values)} as ${quoteIdentifier(name)}`;
  });
  return isSame
    ? qualifiedTable(table.name)
    : `(select ${columns.join(', ')} from ${qualifiedTable(storedTable.table)})`;
}
