import type { Actor } from '../../../engine/access/actor';
import type { Definition, ResourceRecord } from '../../../engine/definitions/definition';
import { exportColumnNames } from '../../../engine/exports/columns';
import { readableColumns, visibleColumnNames, type ColumnChoice } from '../../../engine/lists/columns';
import type { ListState } from '../../../engine/lists/list-state';
import { filterWithFixed } from '../../../engine/lists/tabs';

/**
 * The exported columns: those shown, all that the user may see, or all with the ids by which an import finds the records;
 * or those of a named export.
 */
export type ExportedColumns = 'shown' | 'all' | 'identified' | 'named';

/** The list that a download is made of. */
interface ExportedList {
  readonly definition: Definition;
  readonly actor: Actor;
  readonly state: ListState;
  readonly fixedValues: Readonly<ResourceRecord>;
  readonly choices: readonly ColumnChoice[] | null;
}

/** The path to download the list as shown, with its filters, sorting and columns; or with all columns, or as a named export. */
export function exportPath(list: ExportedList, format: string, columnSet: ExportedColumns): string {
  const { definition, actor, state, fixedValues: fixedFilter, choices } = list;
  const { filters, q, sort } = state;
  const visibleFields = visibleColumnNames(readableColumns(definition, actor), choices);
  const names = exportColumnNames(definition, actor, ({ field }) => visibleFields.has(field));
  const query = {
    filter: JSON.stringify(filterWithFixed({ filters, q }, fixedFilter)),
    sort: JSON.stringify([sort.field, sort.order]),
  };
  if (columnSet === 'named') return `/${definition.export?.path}/${format}?${new URLSearchParams(query)}`;
  const columns = new URLSearchParams({
    ...query,
    columns: columnSet === 'shown' ? names.join() : '*',
    format,
    ...(columnSet === 'identified' && { ids: '1' }),
  });
  return `/${definition.export?.path}?${columns}`;
}
