import type { RaRecord } from 'react-admin';
import { useMemo, useRef, useState } from 'react';
import type { Definition, ResourceRecord } from '../../../engine/definitions/definition';
import { bulkPermissions, type BulkPermissions } from '../../../engine/lists/bulk';
import type { ListState, ListView } from '../../../engine/lists/list-state';
import { mayOpenScreen, takesRecords } from '../../../engine/lists/row-actions';
import { useDefinitions } from '../../data/DefinitionsContext';
import { noneSelected, type SelectedRecords } from '../grid/selection';
import { isEmptyList, type ListRecords } from '../useRecords';

/** The selected records of a list, and what can be done with them. */
export interface Selection {
  readonly rights: BulkPermissions;
  /** Whether the user may change, delete or call anything for several records. */
  readonly selectable: boolean;
  readonly selected: SelectedRecords;
  readonly select: (selected: SelectedRecords) => void;
  /** Selects a record of the page or no longer; as a range, all from the one that was selected before. */
  readonly toggle: (id: number, isRange: boolean) => void;
}

interface SelectionInput {
  readonly definition: Definition;
  readonly state: ListState;
  readonly fixedValues: Readonly<ResourceRecord>;
  readonly view: ListView;
}

/**
 * The selected records of a list. Another filter, search or view ends the selection, and so does a list that is empty.
 * react-admin's own selection has only ids: what can be done with records depends on their values, also with those of
 * other pages.
 */
export function useSelection(
  { definition, state, fixedValues: fixedFilter, view }: SelectionInput,
  listRecords: Pick<ListRecords, 'data' | 'grouping' | 'isReplacing'>,
): Selection {
  const { data: records = noRecords } = listRecords;
  const { actor } = useDefinitions();
  const rights = useMemo(() => bulkPermissions(definition, actor), [definition, actor]);
  const selectable =
    rights.delete ||
    rights.fields.length > 0 ||
    rights.requests.length > 0 ||
    definition.list.actions.some((action) => takesRecords(action) && mayOpenScreen(action, actor));
  const [selected, select] = useState<SelectedRecords>(noneSelected);
  // Compared as text, because a new definition creates new filter objects.
  const query = JSON.stringify([fixedFilter, state.filters, state.q, view]);
  const [selectedIn, setSelectedIn] = useState(query);
  if (selectedIn !== query || (selected.size > 0 && isEmptyList(listRecords, state))) {
    setSelectedIn(query);
    select(noneSelected);
  }
  const lastId = useRef<number>(undefined);
  const toggle = (id: number, isRange: boolean) => {
    const ids = records.map((record) => Number(record.id));
    const [anchorIndex, index] = [ids.indexOf(lastId.current ?? id), ids.indexOf(id)];
    lastId.current = id;
    const next = new Map(selected);
    if (isRange && anchorIndex >= 0 && selected.size > 0)
      for (const record of records.slice(Math.min(anchorIndex, index), Math.max(anchorIndex, index) + 1))
        next.set(Number(record.id), record);
    else if (!next.delete(id) && records[index]) next.set(id, records[index]);
    select(next);
  };
  return { rights, selectable, selected, select, toggle };
}

const noRecords: readonly RaRecord[] = [];
