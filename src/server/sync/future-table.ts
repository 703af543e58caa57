import { conversion } from './convert';
import { quoted, tableId } from './parts';
import type { Stored } from './plan-renames';
import type { WantedTable } from './wanted';

/**
 * The rows of a stored table as they will be after renaming, adding and converting its columns, as an SQL `from` item,
 * so that rule violations can be counted before anything changes.
 */
export function futureTable(table: WantedTable, stored: Stored): string {
  let same = stored.table === table.name;
  const columns = table.columns.map(({ name, type }) => {
    const storedColumn = stored.columns.get(name);
    if (storedColumn?.name === name && storedColumn.type === type) return quoted(name);
    same = false;
    if (!storedColumn) return `null::${type} as ${quoted(name)}`;
    const { using } =
      storedColumn.type === type
        ? { using: quoted(storedColumn.name) }
        : conversion(storedColumn.type, type, quoted(storedColumn.name));
    return `${using} as ${quoted(name)}`;
  });
  return same ? tableId(table.name) : `(select ${columns.join(', ')} from ${tableId(stored.table)})`;
}
