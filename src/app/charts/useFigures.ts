import { keepPreviousData, queryOptions, useQuery, type UseQueryResult } from '@tanstack/react-query';
import { fetchApi } from '../session/api';

/** The query of what the server counted in the resources: it is counted again as soon as something happens in one of them. */
export function figuresQuery<T>(path: string, resources: readonly string[]) {
  return queryOptions({
    queryKey: [resources.join(), 'figures', path],
    queryFn: async ({ signal }) => (await fetchApi<{ data: T }>(path, { signal })).data,
    retry: false,
    meta: { quiet: true },
  });
}

/** What the server counted. Until it is counted again, and while filters change, the figures before it stay. */
export function useFigures<T>(path: string, resources: readonly string[]): UseQueryResult<T> {
  return useQuery({ ...figuresQuery<T>(path, resources), placeholderData: keepPreviousData }) as UseQueryResult<T>;
}
