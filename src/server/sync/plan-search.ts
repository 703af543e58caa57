import { isSearchColumn, type SearchColumn } from '../conditions/search';
import { nameFor } from '../database/names';
import { quoted, tableId } from './parts';
import type { Stored } from './plan-renames';
import type { Step } from './step';
import type { WantedTable } from './wanted';

/** What happens to a table besides, as far as the text that is searched depends on it. */
export interface SearchPlace {
  /** Whether no definition wants a column any longer that this one does not want. */
  readonly isLeft: (name: string) => boolean;
  /** Some column changes its type, which PostgreSQL refuses as long as another one is computed from it. */
  readonly isChanged: boolean;
  /** About how many rows there are. */
  readonly rows: number | undefined;
}

/**
 * What a table needs so that it keeps the text that is searched. PostgreSQL writes the whole table again to add such a
 * column, and lets nobody else at it meanwhile; so it is added only where what is searched has become another text, and
 * a column that another version of the program may search stays until a definition gives it up.
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
    text: `Drop the searched text of ${name}`,
    sql: `alter table ${tableId(name)} drop column ${quoted(column)}`,
  }));
  if (!search || (columns.has(search.name) && !dropped.includes(search.name))) return { drops, dropped, adds: [] };
  const add: Step = {
    ...step,
    kind: 'storeSearch',
    text: `Keep the text of ${name} that is searched`,
    sql: `alter table ${tableId(name)} add column ${searchClause(search)}`,
    rewrites: true,
    ...(rows !== undefined && { rows }),
  };
  return { drops, dropped, adds: [add] };
}

/** The column as a statement makes it. */
export function searchClause({ name, expression }: SearchColumn): string {
  return `${quoted(name)} text generated always as (${expression}) stored`;
}

/** Whether an index is of the kind that searches had before their text was stored: the column takes its place. */
export function isFormerSearchIndex(name: string, table: string): boolean {
  const start = `${nameFor('ix', table, 'search').slice(0, 54)}_`;
  return name.startsWith(start) && /^[0-9a-f]{8}$/.test(name.slice(start.length));
}
