import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { useDataProvider, type RaRecord } from 'react-admin';
import { useMemo } from 'react';
import type { ResourceRecord } from '../../engine/definitions/definition';
import { perPage, type ListState } from '../../engine/lists/list-state';
import { filterWithin } from '../../engine/lists/tabs';
import { useLostConnection } from '../session/connection';
import { nothingFixed } from './ListPlace';
import { useAskedFields, type ShownColumns } from './useAskedFields';

export interface Records {
  /** Undefined until the first answer; then what is shown, even while the next page is on its way. */
  data: RaRecord[] | undefined;
  total: number | undefined;
  /** Something else than what is shown is on its way; the same read anew does not count. */
  fetching: boolean;
  /** Only where there is nothing to show. */
  error: Error | null;
  /** When what is shown was read, in milliseconds since 1970, where it could not be read since. */
  oldSince?: number;
  retry: () => void;
}

/** A page of a resource's list, within what is fixed around it. The key is react-admin's, so that its mutations refresh it. */
export function useRecords(
  resource: string,
  state: ListState,
  fixed: ResourceRecord = nothingFixed,
  columns: ShownColumns = 'chosen',
): Records {
  const dataProvider = useDataProvider();
  const isLost = useLostConnection() !== null;
  const { sort, page, filters, q } = state;
  const meta = useAskedFields(resource, filters, columns);
  const params = useMemo(
    () => ({ pagination: { page, perPage }, sort: { ...sort }, filter: filterWithin({ filters, q }, fixed), meta }),
    [filters, fixed, meta, page, q, sort],
  );
  const { data, dataUpdatedAt, isFetching, isPlaceholderData, error, refetch } = useQuery({
    queryKey: [resource, 'getList', params],
    queryFn: ({ signal }) => dataProvider.getList<RaRecord>(resource, { ...params, signal }),
    placeholderData: keepPreviousData,
  });
  return {
    data: data?.data,
    total: data?.total,
    fetching: isFetching && (isPlaceholderData || data === undefined),
    error: data ? null : error,
    ...((error || isLost) && data && !isPlaceholderData && { oldSince: dataUpdatedAt }),
    retry: () => void refetch(),
  };
}
