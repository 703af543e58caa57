import type { QueryClient } from '@tanstack/react-query';
import type { GetListResult, RaRecord } from 'react-admin';
import type { ResourceRecord } from '../../engine/definitions/definition';

/** Shows new values of a record in all lists that were loaded, and on its page. */
export function showInLists(queryClient: QueryClient, resource: string, id: unknown, values: ResourceRecord): void {
  queryClient.setQueriesData<GetListResult<RaRecord>>({ queryKey: [resource, 'getList'] }, (page) =>
    page?.data
      ? { ...page, data: page.data.map((record) => (record.id === id ? { ...record, ...values } : record)) }
      : page,
  );
  queryClient.setQueriesData<RaRecord>(
    { queryKey: [resource, 'getOne', { id: String(id), meta: { page: true } }] },
    (record) => (record ? { ...record, ...values } : record),
  );
}
