import { keepPreviousData, useQuery } from '@tanstack/react-query';
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
  return enabled ? data?.total : undefined;
}
