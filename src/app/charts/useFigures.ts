import { keepPreviousData, useQuery, type UseQueryResult } from '@tanstack/react-query';
import { fetchApi } from '../session/api';

/**
 * What the server counted. It is counted anew as soon as something happens in one of the resources; until then, and
 * while filters change, the figures before it stay.
 */
export function useFigures<T>(path: string, resources: readonly string[]): UseQueryResult<T> {
  return useQuery({
    queryKey: [resources.join(), 'figures', path],
    queryFn: async ({ signal }) => (await fetchApi<{ data: T }>(path, { signal })).data,
    placeholderData: keepPreviousData,
    retry: false,
    meta: { quiet: true },
  });
}
