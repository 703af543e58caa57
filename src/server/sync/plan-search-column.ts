import { isSearchColumn, type SearchColumn } from '../sql/search';
import { identifierFor } from '../database/identifiers';
import { quoteIdentifier, qualifiedTable } from './schema-object';
import type { StoredTable } from './plan-renames';
import type { Step } from './step';
import type { TargetTable } from './target-schema';

/** Other changes of the table that affect its search column. */
export interface SearchPlanContext {
  /** Whether a column that this definition does not use is not used by any other either. */
  readonly isUnused: (name: string) => boolean;
  /** Some column changes its type, which PostgreSQL refuses while a generated column depends on it. */
  readonly changesType: boolean;
  /** The estimated number of rows. */
  readonly rows: number | undefined;
}

/**
 * The steps for a table's search column. PostgreSQL rewrites and locks the whole table to add such a column, so it is
 * only added if the searchable text has changed; a column that another version of the program may use stays until a
 * definition gives it up.
 */
export function planSearchColumn(
  { name, definition, search }: TargetTable,
  columns: ReadonlyMap<string, string>,
  stored: StoredTable | undefined,
  { isUnused, changesType, rows }: SearchPlanContext,
): { drops: Step[]; dropped: readonly string[]; adds: Step[] } {
  const dropped = [...columns.keys()].filter(
    (column) => isSearchColumn(column) && (changesType || (column !== search?.name && isUnused(column))),
  );
  const step = { resource: definition.name, destructive: false, locks: stored ? [stored.table] : [], columns: [] };
  const drops = dropped.map((column): Step => ({
    ...step,
    kind: 'dropSearch',
    text: `Drop the stored search text of ${name}`,
    sql: `alter table ${qualifiedTable(name)} drop column ${quoteIdentifier(column)}`,
  }));
  if (!search || (columns.has(search.name) && !dropped.includes(search.name))) return { drops, dropped, adds: [] };
  const add: Step = {
    ...step,
    kind: 'storeSearch',
    text: `Store the search text of ${name}`,
    sql: `alter table ${qualifiedTable(name)} add column ${searchColumnSql(search)}`,
    rewritesTable: true,
    ...(rows !== undefined && { rows }),
  };
  return { drops, dropped, adds: [add] };
}

/** The column definition in SQL. */
export function searchColumnSql({ name, expression }: SearchColumn): string {
  return `${quoteIdentifier(name)} text generated always as (${expression}) stored`;
}

/** Whether an index is a search index of the time before the text was stored; the column replaces it. */
export function isOldSearchIndex(name: string, table: string): boolean {
  const start = `${identifierFor('ix', table, 'search').slice(0, 54)}_`;
  return name.startsWith(start) && /^[0-9a-f]{8}$/.test(name.slice(start.length));
}
