import { useCallback, useMemo } from 'react';
import type { RaRecord } from 'react-admin';
import { groupKeyOf, placeGroups, totalsOf, type GroupedRow } from '../../../engine/lists/group-rows';
import { pageSizeOf, type ListState } from '../../../engine/lists/list-state';
import { localTimeZone } from '../../../engine/formats/time-zone';
import { useDefinitions } from '../../data/DefinitionsContext';
import { FailedState } from '../../states/FailedState';
import { lazyComponent } from '../../states/lazyComponent';
import { SkeletonRows } from '../../states/SkeletonRows';
import { loadGrid } from '../loadRecords';
import { useResourceList } from '../ResourceList';
import { useAdditions } from './additions';
import { GroupedCards } from './GroupedCards';
import { useGridGroups } from './useGridGroups';
import { useGroups } from './useGroups';

// As other lists load them: a file that is loaded anyway.
const GridView = lazyComponent(loadGrid);
const EmptyList = lazyComponent(() => import('../EmptyList').then((part) => ({ default: part.EmptyList })));

const noGroups = [] as const;

/**
 * The records under the headings of their groups, with the number and the totals of each, and the totals of all records
 * that match the filters. Headings open and close their groups; closed ones are part of the list's state.
 */
export function GroupedList() {
  const { definition, state, change, view, data, paged, isReplacing, grouping } = useResourceList();
  const { actor } = useDefinitions();
  const totals = useMemo(
    () => totalsOf({ totals: state.totals }, definition, actor),
    [actor, definition, state.totals],
  );
  const { countedGroups, error, retry } = useGroups(grouping, totals);
  const { page, closed: closedKeys } = state;
  const pageSize = pageSizeOf(state);
  const rows = useMemo((): GroupedRow<RaRecord>[] => {
    const pageRecords = data ?? [];
    if (!grouping) return pageRecords.map((record) => ({ record }));
    const start = (page - 1) * pageSize;
    return placeGroups({
      groups: countedGroups?.groups ?? noGroups,
      records: pageRecords,
      keyOf: (record) => groupKeyOf(record, grouping, definition, localTimeZone()),
      closed: closedKeys ?? noGroups,
      start,
      isLast: start + pageSize >= (paged ?? 0),
    });
  }, [closedKeys, countedGroups, data, definition, grouping, page, pageSize, paged]);
  const onToggle = useCallback(
    (key: string) => change((current) => toggled(current, key), { replace: true }),
    [change],
  );
  const additionOf = useAdditions(grouping);
  const groups = useGridGroups({ definition, grouping, rows, countedGroups, totals, onToggle, additionOf });
  if (error) return <FailedState title="The groups could not be counted" message={error.message} onRetry={retry} />;
  if (!countedGroups || !data) return <SkeletonRows hasHead />;
  if (countedGroups.totals.count === 0 && !isReplacing) return <EmptyList />;
  if (view === 'cards') return <GroupedCards {...{ rows, countedGroups, totals, onToggle, additionOf }} />;
  return <GridView groups={groups} />;
}

/** The state with a group closed, or opened if it was closed. */
function toggled({ closed: closedKeys = [], ...state }: ListState, key: string): ListState {
  const next = closedKeys.includes(key) ? closedKeys.filter((closedKey) => closedKey !== key) : [...closedKeys, key];
  return { ...state, ...(next.length > 0 && { closed: next }) };
}
