import type { Definition } from '../../../engine/definitions/definition';
import { exportColumnNames } from '../../../engine/exports/columns';
import { readableColumns, visibleColumnNames } from '../../../engine/lists/columns';
import type { ListState } from '../../../engine/lists/list-state';
import { filterWithFixed } from '../../../engine/lists/tabs';
import { useDefinitions } from '../../admin/DefinitionsContext';
import { useListScope } from '../ListScope';
import { useListColumns } from '../useListColumns';

/** The exported columns: those shown, all that the user may see, or all with the ids by which an import finds the records. */
export type ExportedColumns = 'shown' | 'all' | 'identified';

/** The path to download the list as shown, with its filters, sorting and columns; or with all columns, or as a named export. */
export function useExportPath(definition: Definition, state: ListState) {
  const { filters, q, sort } = state;
  const { actor } = useDefinitions();
  const { fixed } = useListScope();
  const { choices } = useListColumns(definition, state);
  return (format: string, which: ExportedColumns | 'named' = 'shown') => {
    const shown = visibleColumnNames(readableColumns(definition, actor), choices);
    const names = exportColumnNames(definition, actor, ({ field }) => shown.has(field));
    const list = {
      filter: JSON.stringify(filterWithFixed({ filters, q }, fixed)),
      sort: JSON.stringify([sort.field, sort.order]),
    };
    if (which === 'named') return `/${definition.export?.path}/${format}?${new URLSearchParams(list)}`;
    const query = new URLSearchParams({
      ...list,
      columns: which === 'shown' ? names.join() : '*',
      format,
      ...(which === 'identified' && { ids: '1' }),
    });
    return `/${definition.export?.path}?${query}`;
  };
}
