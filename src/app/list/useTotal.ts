import { keepPreviousData, skipToken, useQuery, type QueryKey } from '@tanstack/react-query';
import { useDataProvider } from 'react-admin';
import type { ResourceRecord } from '../../engine/definitions/definition';

/** Counting needs only ids. */
const onlyIds = { fields: ['id'] };

/**
 * The number of records that match a filter; undefined while loading or if disabled.
 *
 * @example const open = useTotal('tickets', { state: 'open' }); // undefined until it is known
 */
export function useTotal(resource: string, filter: ResourceRecord, enabled = true): number | undefined {
  const dataProvider = useDataProvider();
  const params = {
    pagination: { page: 1, perPage: 1 },
    sort: { field: 'id', order: 'ASC' as const },
    filter,
    meta: onlyIds,
  };
  const { data } = useQuery({
    queryKey: [resource, 'getList', params],
    queryFn: ({ signal }) => dataProvider.getList(resource, { ...params, signal }),
    placeholderData: keepPreviousData,
    enabled,
    meta: { quiet: true },
  });
  const total = useBestTotal(exactTotalKey(resource, filter), data?.total);
  return enabled ? total : undefined;
}

/** Where the exact number of records that match a filter is, once somebody had it counted; `groups`: of open groups alone. */
export const exactTotalKey = (resource: string, filter: ResourceRecord, groups = ''): QueryKey => [
  resource,
  'exactTotal',
  filter,
  groups,
];

/** A total; if it is an estimate, the exact one as long as something shows it that was counted. */
export function useBestTotal(key: QueryKey, total: number | undefined): number | undefined {
  const { data: exactTotal } = useQuery<number>({ queryKey: key, queryFn: skipToken, gcTime: 0 });
  return total === undefined || Number.isInteger(total) ? total : (exactTotal ?? total);
}
