import { useCallback, useMemo } from 'react';
import type { RaRecord } from 'react-admin';
import { groupKeyOf, placeGroups, totalsOf, type GroupedRow } from '../../../engine/lists/group-rows';
import { perPage } from '../../../engine/lists/list-state';
import { localTimeZone } from '../../../engine/formats/time-zone';
import { useDefinitions } from '../../admin/DefinitionsContext';
import { FailedState } from '../../states/FailedState';
import { SkeletonRows } from '../../states/SkeletonRows';
import { EmptyList } from '../EmptyList';
import { GridView } from '../grid/GridView';
import type { ListBodyProps } from '../ListBody';
import { GroupedCards } from './GroupedCards';
import { toggled } from './toggled';
import { useGridGroups } from './useGridGroups';
import { useGroups } from './useGroups';

const noGroups = [] as const;

/**
 * The records under the headings of their groups, with the number and the totals of each, and the totals of all records
 * that match the filters. Headings open and close their groups; closed ones are part of the list's state.
 */
export function GroupedList({ definition, state, change, inputs, view, records }: Omit<ListBodyProps, 'isPhone'>) {
  const { actor } = useDefinitions();
  const { data, paged, total, fetching, grouping } = records;
  const totals = useMemo(
    () => totalsOf({ totals: state.totals }, definition, actor),
    [actor, definition, state.totals],
  );
  const { counted, error, retry } = useGroups(definition, state, grouping, totals);
  const { page, closed } = state;
  const rows = useMemo((): GroupedRow<RaRecord>[] => {
    const shown = data ?? [];
    if (!grouping) return shown.map((record) => ({ record }));
    const start = (page - 1) * perPage;
    return placeGroups({
      groups: counted?.groups ?? noGroups,
      records: shown,
      keyOf: (record) => groupKeyOf(record, grouping, definition, localTimeZone()),
      closed: closed ?? noGroups,
      start,
      isLast: start + perPage >= (paged ?? 0),
    });
  }, [closed, counted, data, definition, grouping, page, paged]);
  const onToggle = useCallback((key: string) => change((old) => toggled(old, key), { replace: true }), [change]);
  const groups = useGridGroups({ definition, grouping, rows, counted, totals, onToggle });
  if (error) return <FailedState title="The groups could not be counted" message={error.message} onRetry={retry} />;
  if (!counted || !data) return <SkeletonRows rows={16} />;
  if (counted.totals.count === 0 && !fetching) return <EmptyList {...{ definition, state, change, inputs }} />;
  if (view === 'cards')
    return <GroupedCards {...{ definition, grouping, rows, counted, totals, onToggle }} records={data} />;
  return <GridView {...{ definition, state, change, total, fetching, groups }} records={data} />;
}
