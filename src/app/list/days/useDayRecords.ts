import { keepPreviousData, useQueries } from '@tanstack/react-query';
import { useMemo, useState } from 'react';
import { useDataProvider, type RaRecord } from 'react-admin';
import type { Condition, DaysView, ResourceRecord } from '../../../engine/definitions/definition';
import { daysViewFields, requestedFields } from '../../../engine/lists/requested-fields';
import { filterWithFixed } from '../../../engine/lists/tabs';
import { useDefinitions } from '../../data/DefinitionsContext';
import { useResourceList } from '../ResourceList';

/** The records of some days that have been loaded so far. */
export interface DayRecords {
  /** Undefined until the first response. */
  readonly records: readonly ResourceRecord[] | undefined;
  /** How many more there are. */
  readonly left: number;
  readonly error: Error | null;
  readonly fetching: boolean;
  readonly more: () => void;
  readonly retry: () => void;
}

/** The number of records that are loaded at a time. */
const windowSize = 200;

/**
 * The records of the surrounding list that match a condition besides its filters, the earliest first (without one, none), one window at a time. Each is a
 * query under react-admin's list key, so that whatever invalidates lists invalidates it.
 */
export function useDayRecords(days: DaysView, condition: Condition | undefined, enabled = true): DayRecords {
  const { registry, actor } = useDefinitions();
  const dataProvider = useDataProvider();
  const { definition, state, fixedValues: fixedFilter } = useResourceList();
  const { filters, q } = state;
  const { name } = definition;
  const conditionText = JSON.stringify(condition);
  const base = useMemo(() => {
    const fieldNames = [...Object.keys(filters), ...daysViewFields(definition, days)];
    return {
      sort: { field: days.start, order: 'ASC' as const },
      filter: { ...filterWithFixed({ filters, q }, fixedFilter), where: conditionText },
      meta: { fields: requestedFields(definition, registry, actor, null, fieldNames) },
    };
  }, [actor, days, definition, filters, fixedFilter, q, registry, conditionText]);
  // More is asked of these days alone.
  const key = JSON.stringify(base.filter);
  const [request, setRequest] = useState({ key, windows: 1 });
  const windows = request.key === key ? request.windows : 1;
  const results = useQueries({
    queries: Array.from({ length: enabled && condition ? windows : 0 }, (_, index) => {
      const params = { ...base, pagination: { page: index + 1, perPage: windowSize } };
      return {
        queryKey: [name, 'getList', params],
        queryFn: ({ signal }: { signal: AbortSignal }) => dataProvider.getList<RaRecord>(name, { ...params, signal }),
        placeholderData: keepPreviousData,
        meta: { quiet: true },
      };
    }),
  });
  const [first] = results;
  // A record that moved between windows between two responses counts once.
  const records = new Map<unknown, ResourceRecord>();
  for (const { data } of results) for (const record of data?.data ?? []) records.set(record.id, record);
  return {
    records: first?.data && [...records.values()],
    left: Math.max(0, (first?.data?.total ?? 0) - records.size),
    error: first?.data ? null : (first?.error ?? null),
    fetching: results.some(({ isFetching, isPlaceholderData, data }) => isFetching && (isPlaceholderData || !data)),
    more: () => setRequest({ key, windows: windows + 1 }),
    retry: () => results.forEach(({ error, refetch }) => error && void refetch()),
  };
}
