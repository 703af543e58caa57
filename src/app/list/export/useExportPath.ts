import type { Definition } from '../../../engine/definitions/definition';
import { exportColumnNames } from '../../../engine/exports/columns';
import { readableColumns, visibleColumnNames } from '../../../engine/lists/columns';
import type { ListState } from '../../../engine/lists/list-state';
import { filterWithFixed } from '../../../engine/lists/tabs';
import { useDefinitions } from '../../admin/DefinitionsContext';
import { useColumnChoices } from '../../preferences/useColumnChoices';
import { useListScope } from '../ListScope';

/** The exported columns: those shown, or all that the user may see. */
export type ExportedColumns = 'shown' | 'all';

/** The path to download the list as shown, with its filters, sorting and columns; or with all columns. */
export function useExportPath(definition: Definition, { filters, q, sort }: ListState) {
  const { actor } = useDefinitions();
  const { fixed } = useListScope();
  const { choices } = useColumnChoices(definition.name);
  return (format: 'xlsx' | 'csv', which: ExportedColumns = 'shown') => {
    const shown = visibleColumnNames(readableColumns(definition, actor), choices);
    const names = exportColumnNames(definition, actor, ({ field }) => shown.has(field));
    const query = new URLSearchParams({
      filter: JSON.stringify(filterWithFixed({ filters, q }, fixed)),
      sort: JSON.stringify([sort.field, sort.order]),
      columns: which === 'all' ? '*' : names.join(),
      format,
    });
    return `/${definition.export?.path}?${query}`;
  };
}
