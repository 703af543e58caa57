import type { Definition } from '../../../engine/definitions/definition';
import { listColumns, shownColumns } from '../../../engine/lists/columns';
import type { ListState } from '../../../engine/lists/list-state';
import { filterWithin } from '../../../engine/lists/tabs';
import { useDefinitions } from '../../admin/DefinitionsContext';
import { useColumnChoices } from '../../preferences/useColumnChoices';
import { useListPlace } from '../ListPlace';

/** The path under which the list is downloaded as it is shown: its filters, order and columns. */
export function useExportPath(definition: Definition, { filters, q, sort }: ListState) {
  const { actor } = useDefinitions();
  const { fixed } = useListPlace();
  const { choices } = useColumnChoices(definition.name);
  return (format: 'xlsx' | 'csv') => {
    const columns = listColumns(definition, actor);
    const shown = shownColumns(columns, choices);
    const query = new URLSearchParams({
      filter: JSON.stringify(filterWithin({ filters, q }, fixed)),
      sort: JSON.stringify([sort.field, sort.order]),
      columns: columns.flatMap(({ field }) => (shown.has(field) ? [field] : [])).join(),
      format,
    });
    return `/${definition.export?.path}?${query}`;
  };
}
