import { conversion } from './conversion';
import { quoteIdentifier, qualifiedTable, type TargetTable } from './target-schema';
import type { StoredTable } from './plan-renames';

/**
 * The rows of a stored table as they will be after renaming, adding and converting its columns, as an SQL `from` item,
 * so that rule violations can be counted before anything changes.
 */
export function futureTableSql(table: TargetTable, stored: StoredTable): string {
  let same = stored.table === table.name;
  const columns = table.columns.map(({ name, type, fill }) => {
    const storedColumn = stored.columns.get(name);
    if (storedColumn?.name === name && storedColumn.type === type) return quoteIdentifier(name);
    same = false;
    if (!storedColumn) return `${fill ?? `null::${type}`} as ${quoteIdentifier(name)}`;
    const { using } =
      storedColumn.type === type
        ? { using: quoteIdentifier(storedColumn.name) }
        : conversion(storedColumn.type, type, quoteIdentifier(storedColumn.name));
    return `${using} as ${quoteIdentifier(name)}`;
  });
  return same ? qualifiedTable(table.name) : `(select ${columns.join(', ')} from ${qualifiedTable(stored.table)})`;
}
