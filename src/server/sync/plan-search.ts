import { isSearchColumn, type SearchColumn } from '../conditions/search';
import { nameFor } from '../database/names';
import { quoted, tableId } from './parts';
import type { Stored } from './plan-renames';
import type { Step } from './step';
import type { WantedTable } from './wanted';

/** Other changes of the table that affect its search column. */
export interface SearchPlace {
  /** Whether a column that this definition does not use is not used by any other either. */
  readonly isLeft: (name: string) => boolean;
  /** Some column changes its type, which PostgreSQL refuses while a generated column depends on it. */
  readonly isChanged: boolean;
  /** The estimated number of rows. */
  readonly rows: number | undefined;
}

/**
 * The steps for a table's search column. PostgreSQL rewrites and locks the whole table to add such a column, so it is
 * only added if the searchable text has changed; a column that another version of the program may use stays until a
 * definition gives it up.
 */
export function planSearch(
  { name, definition, search }: WantedTable,
  columns: ReadonlyMap<string, string>,
  stored: Stored | undefined,
  { isLeft, isChanged, rows }: SearchPlace,
): { drops: Step[]; dropped: readonly string[]; adds: Step[] } {
  const dropped = [...columns.keys()].filter(
    (column) => isSearchColumn(column) && (isChanged || (column !== search?.name && isLeft(column))),
  );
  const step = { resource: definition.name, destructive: false, locks: stored ? [stored.table] : [], columns: [] };
  const drops = dropped.map((column): Step => ({
    ...step,
    kind: 'dropSearch',
    text: `Drop the stored search text of ${name}`,
    sql: `alter table ${tableId(name)} drop column ${quoted(column)}`,
  }));
  if (!search || (columns.has(search.name) && !dropped.includes(search.name))) return { drops, dropped, adds: [] };
  const add: Step = {
    ...step,
    kind: 'storeSearch',
    text: `Store the search text of ${name}`,
    sql: `alter table ${tableId(name)} add column ${searchClause(search)}`,
    rewrites: true,
    ...(rows !== undefined && { rows }),
  };
  return { drops, dropped, adds: [add] };
}

/** The column definition in SQL. */
export function searchClause({ name, expression }: SearchColumn): string {
  return `${quoted(name)} text generated always as (${expression}) stored`;
}

/** Whether an index is a search index of the time before the text was stored; the column replaces it. */
export function isFormerSearchIndex(name: string, table: string): boolean {
  const start = `${nameFor('ix', table, 'search').slice(0, 54)}_`;
  return name.startsWith(start) && /^[0-9a-f]{8}$/.test(name.slice(start.length));
}
