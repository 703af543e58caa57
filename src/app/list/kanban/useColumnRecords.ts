import { keepPreviousData, useQueries, type UseQueryResult } from '@tanstack/react-query';
import { useCallback, useMemo, useState } from 'react';
import { useDataProvider, type GetListResult, type RaRecord } from 'react-admin';
import type { ResourceRecord } from '../../../engine/definitions/definition';
import type { ListState } from '../../../engine/lists/list-state';
import { filterWithFixed } from '../../../engine/lists/tabs';
import { itemAt } from '../../../engine/values/lookups';
import { useRequestedFields } from '../useRecords';
import type { BoardChoice } from './useBoardColumns';

/** The number of records that a column loads at a time. */
const windowSize = 30;

/** The records that a column has loaded so far. */
export interface LoadedColumn {
  /** Undefined until the first response. */
  readonly records: readonly ResourceRecord[] | undefined;
  /** The number of records, loaded or not. */
  readonly total: number | undefined;
  readonly error: Error | null;
}

interface ColumnRecordsOptions {
  resource: string;
  /** The column field. */
  field: string;
  /** The field with the places of cards, where they are put in order by hand. */
  order: string | undefined;
  columns: readonly BoardChoice[];
  state: ListState;
  fixedValues: Readonly<ResourceRecord>;
}

/**
 * The records of all columns, one window at a time. Each window is a query under react-admin's list key, so that
 * whatever invalidates lists invalidates boards.
 */
export function useColumnRecords(options: ColumnRecordsOptions) {
  const { resource, field, order, columns, state, fixedValues: fixedFilter } = options;
  const dataProvider = useDataProvider();
  const [windows, setWindows] = useState<Readonly<Record<string, number>>>({});
  const { filters, q, sort } = state;
  const fieldsMeta = useRequestedFields(resource, filters);
  const meta = order === undefined ? fieldsMeta : { ...fieldsMeta, query: `&sort_by=${sortText(sort)}` };
  const filter = useMemo(() => filterWithFixed({ filters, q }, fixedFilter), [filters, fixedFilter, q]);
  const requestedWindows = columns.flatMap(({ id }) =>
    Array.from({ length: windows[String(id)] ?? 1 }, (_, index) => ({ id, index })),
  );
  const results = useQueries({
    queries: requestedWindows.map(({ id, index }) => {
      const params = {
        pagination: { page: index + 1, perPage: windowSize },
        sort: order === undefined ? { ...sort } : { field: order, order: 'ASC' as const },
        filter: { ...filter, [field]: id },
        meta,
      };
      return {
        queryKey: [resource, 'getList', params],
        queryFn: ({ signal }: { signal: AbortSignal }) =>
          dataProvider.getList<RaRecord>(resource, { ...params, signal }),
        placeholderData: keepPreviousData,
        meta: { quiet: true },
      };
    }),
  });
  const loadedColumns = new Map<BoardChoice['id'], LoadedColumn>();
  columns.forEach(({ id }) =>
    loadedColumns.set(id, joinWindows(results.filter((_, index) => itemAt(requestedWindows, index).id === id))),
  );
  const loadMore = useCallback(
    (id: BoardChoice['id']) => setWindows((current) => ({ ...current, [String(id)]: (current[String(id)] ?? 1) + 1 })),
    [],
  );
  const retry = () => results.forEach(({ error, refetch }) => error && void refetch());
  return { loaded: loadedColumns, more: loadMore, retry };
}

/** An order as `sort_by` has it: `-name`. */
export const sortText = ({ field, order }: ListState['sort']): string => `${order === 'DESC' ? '-' : ''}${field}`;

/** Joins the windows of a column. A record that moved between windows between two responses counts once. */
function joinWindows(results: readonly UseQueryResult<GetListResult<RaRecord>>[]): LoadedColumn {
  const [first] = results;
  if (!first?.data) return { records: undefined, total: undefined, error: first?.error ?? null };
  const records = new Map<unknown, ResourceRecord>();
  for (const { data } of results) for (const record of data?.data ?? []) records.set(record.id, record);
  return { records: [...records.values()], total: first.data.total, error: null };
}
