import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { useMemo } from 'react';
import type { Definition, Kanban, ResourceRecord } from '../../../engine/definitions/definition';
import { fieldTypeOf } from '../../../engine/field-types';
import type { ListState } from '../../../engine/lists/list-state';
import { filterWithFixed } from '../../../engine/lists/tabs';
import { fetchApi } from '../../session/api';
import { useApi } from '../../session/apiClient';

interface Groups {
  readonly data: readonly { readonly group: ResourceRecord; readonly sum: ResourceRecord }[];
}

/**
 * The sum of each column as text, by the id of the column: of all its records within the filters, loaded or not. Empty
 * for boards without sums, and until the response is there. The query lies under react-admin's list key, so that
 * whatever invalidates lists invalidates sums.
 */
export function useColumnSums(
  definition: Definition,
  { column, sum }: Kanban,
  { filters, q }: ListState,
  fixedFilter: Readonly<ResourceRecord>,
): ReadonlyMap<string, string> {
  const ask = useApi();
  const { name } = definition;
  const field = sum === undefined ? undefined : definition.fields[sum];
  const filter = useMemo(() => filterWithFixed({ filters, q }, fixedFilter), [filters, fixedFilter, q]);
  const { data } = useQuery({
    queryKey: [name, 'getList', 'sums', column, sum, filter],
    queryFn: ({ signal }) => {
      const query = new URLSearchParams({ group: column, take: `sum:${sum}`, filter: JSON.stringify(filter) });
      return fetchApi<Groups>(`/${name}/aggregate?${query}`, { signal }, ask);
    },
    enabled: field !== undefined,
    placeholderData: keepPreviousData,
    meta: { quiet: true },
  });
  return useMemo(() => {
    if (!field || !data) return new Map();
    const text = (value: unknown) => fieldTypeOf(field).toText(value ?? 0, field, undefined);
    return new Map(data.data.map(({ group, sum: sums }) => [String(group[column]), text(sums[field.name])]));
  }, [column, data, field]);
}
