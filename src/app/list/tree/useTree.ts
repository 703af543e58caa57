import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { useMemo } from 'react';
import { treeName } from '../../../engine/conditions/tree';
import type { Definition, ResourceRecord } from '../../../engine/definitions/definition';
import type { ListState } from '../../../engine/lists/list-state';
import { filterWithFixed } from '../../../engine/lists/tabs';
import type { CountedTree } from '../../../engine/lists/tree';
import { fetchApi } from '../../session/api';
import { useApi } from '../../session/apiClient';

/**
 * The tree beside a list, counted within the list's filters. The query lies under react-admin's list key, so that
 * whatever invalidates the list invalidates the counts. It is loaded while it is shown.
 */
export function useTree(
  { name }: Definition,
  { filters, q }: ListState,
  fixedFilter: Readonly<ResourceRecord>,
  enabled: boolean,
) {
  const ask = useApi();
  const filter = useMemo(() => {
    const { [treeName]: _, ...otherFilters } = filters;
    return filterWithFixed({ filters: otherFilters, q }, fixedFilter);
  }, [filters, fixedFilter, q]);
  const { data, error, refetch } = useQuery({
    queryKey: [name, 'getList', 'tree', filter],
    queryFn: async ({ signal }) => {
      const query = new URLSearchParams({ filter: JSON.stringify(filter) });
      return (await fetchApi<{ data: CountedTree }>(`/${name}/tree?${query}`, { signal }, ask)).data;
    },
    enabled,
    placeholderData: keepPreviousData,
    meta: { quiet: true },
  });
  return { tree: data, filter, error: error as Error | null, retry: () => void refetch() };
}
