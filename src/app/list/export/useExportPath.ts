import type { Definition } from '../../../engine/definitions/definition';
import type { ListState } from '../../../engine/lists/list-state';
import { useDefinitions } from '../../admin/DefinitionsContext';
import { useListScope } from '../ListScope';
import { useListColumns } from '../useListColumns';
import type { ExportedColumns } from './exportPath';

/** Makes the path of a download of a list once it is wanted (`exportPath`), whose code is loaded then. */
export function useExportPath(definition: Definition, state: ListState) {
  const { actor } = useDefinitions();
  const { fixed } = useListScope();
  const { choices } = useListColumns(definition, state);
  return (format: string, which: ExportedColumns = 'shown') =>
    async () => {
      const { exportPath } = await import('./exportPath');
      return exportPath({ definition, actor, state, fixed, choices }, format, which);
    };
}
