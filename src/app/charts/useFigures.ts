import { keepPreviousData, queryOptions, useQuery, type UseQueryResult } from '@tanstack/react-query';
import { fetchApi } from '../session/api';

/**
 * A query for figures that the server counts in the resources; their events invalidate it.
 *
 * @example const { data } = useQuery(figuresQuery<Totals>('/task-totals', ['tasks']));
 */
export function figuresQuery<T>(path: string, resources: readonly string[]) {
  return queryOptions({
    queryKey: [resources.join(), 'figures', path],
    queryFn: async ({ signal }) => (await fetchApi<{ data: T }>(path, { signal })).data,
    retry: false,
    meta: { quiet: true },
  });
}

/**
 * Figures counted by the server. Previous figures stay visible while they are refetched or filters change.
 *
 * @example const { data, isError } = useFigures<Totals>('/task-totals?project_id=7', ['tasks']);
 */
export function useFigures<T>(path: string, resources: readonly string[]): UseQueryResult<T> {
  return useQuery({ ...figuresQuery<T>(path, resources), placeholderData: keepPreviousData }) as UseQueryResult<T>;
}
