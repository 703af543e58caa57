import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { useDataProvider } from 'react-admin';
import type { ResourceRecord } from '../../engine/definitions/definition';

/** Whoever counts needs no more of a record. */
const onlyIds = { fields: ['id'] };

/** How many records of a resource a filter leaves; undefined until the server said so, or where it is not to be asked. */
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
