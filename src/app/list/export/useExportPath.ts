import type { ListState } from '../../../engine/lists/list-state';
import { useDefinitions } from '../../data/DefinitionsContext';
import { useResourceList } from '../ResourceList';
import { useListColumns } from '../useListColumns';
import type { ExportedColumns } from './exportPath';

/** Makes the path of a download of the surrounding list in a state once it is wanted (`exportPath`), whose code is loaded then. */
export function useExportPath(state: ListState) {
  const { actor } = useDefinitions();
  const { definition, fixedValues: fixedFilter } = useResourceList();
  const { choices } = useListColumns(definition, state);
  return (format: string, columnSet: ExportedColumns = 'shown') =>
    async () => {
      const { exportPath } = await import('./exportPath');
      return exportPath({ definition, actor, state, fixedValues: fixedFilter, choices }, format, columnSet);
    };
}
