import { conversion } from './convert';
import { quoted, tableId } from './parts';
import type { Stored } from './plan-renames';
import type { WantedTable } from './wanted';

/**
 * The rows of a stored table as they will be once its columns are renamed, added and converted: what stands behind
 * `from`, so that rules can be counted before anything is changed.
 */
export function futureTable(table: WantedTable, stored: Stored): string {
  let same = stored.table === table.name;
  const columns = table.columns.map(({ name, type }) => {
    const held = stored.columns.get(name);
    if (held?.name === name && held.type === type) return quoted(name);
    same = false;
    if (!held) return `null::${type} as ${quoted(name)}`;
    const { using } =
      held.type === type ? { using: quoted(held.name) } : conversion(held.type, type, quoted(held.name));
    return `${using} as ${quoted(name)}`;
  });
  return same ? tableId(table.name) : `(select ${columns.join(', ')} from ${tableId(stored.table)})`;
}
