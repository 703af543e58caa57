import type { Definition } from '../../engine/definitions/definition';
import { quoteIdentifier, qualifiedTable, type TargetTable } from './target-schema';
import type { StoredTable } from './plan-renames';
import { convertedColumn, renamedColumnValues, withRenamedValues } from './renamed-values';

/**
 * The rows of a stored table as they will be after renaming, adding and converting its columns and renaming values of
 * options, as an SQL `from` item, so that rule violations can be counted before anything changes. `before`: the definition
 * of these rows until now.
 */
export function futureTableSql(table: TargetTable, stored: StoredTable, before?: Pick<Definition, 'fields'>): string {
  let same = stored.table === table.name;
  const columns = table.columns.map((column) => {
    const { name, type, fill } = column;
    const storedColumn = stored.columns.get(name);
    const values = renamedColumnValues(table, name, before);
    if (storedColumn?.name === name && storedColumn.type === type && values.length === 0) return quoteIdentifier(name);
    same = false;
    if (!storedColumn) return `${fill ?? `null::${type}`} as ${quoteIdentifier(name)}`;
    return `${withRenamedValues(convertedColumn(column, storedColumn), type, values)} as ${quoteIdentifier(name)}`;
  });
  return same ? qualifiedTable(table.name) : `(select ${columns.join(', ')} from ${qualifiedTable(stored.table)})`;
}
