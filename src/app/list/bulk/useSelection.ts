import { useEffect, useMemo, useState } from 'react';
import type { Definition } from '../../../engine/definitions/definition';
import { bulkPermissions, type BulkPermissions } from '../../../engine/lists/bulk';
import type { ListState } from '../../../engine/lists/list-state';
import { useDefinitions } from '../../admin/DefinitionsContext';
import { noneSelected, type SelectedRecords } from '../grid/selection';
import { useListScope } from '../ListScope';

interface Selection {
  rights: BulkPermissions;
  /** Whether the user may change, delete or call anything for several records. */
  selectable: boolean;
  selected: SelectedRecords;
  onSelect: (selected: SelectedRecords) => void;
}

/** The selected records of a list, and what the user may do with them. A new filter or search ends the selection. */
export function useSelection(definition: Definition, state: ListState): Selection {
  const { actor } = useDefinitions();
  const { fixed } = useListScope();
  const rights = useMemo(() => bulkPermissions(definition, actor), [definition, actor]);
  const selectable = rights.delete || rights.fields.length > 0 || rights.requests.length > 0;
  const [selected, onSelect] = useState<SelectedRecords>(noneSelected);
  // Compared as text, because a new definition creates new filter objects.
  const among = JSON.stringify([fixed, state.filters, state.q]);
  useEffect(() => onSelect(noneSelected), [among]);
  return { rights, selectable, selected, onSelect };
}
