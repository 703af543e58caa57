import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { useMemo } from 'react';
import { grantedFields, isGranted } from '../../../engine/access/access-decision';
import type { Actor } from '../../../engine/access/actor';
import { treeName } from '../../../engine/conditions/tree';
import type { Definition, ResourceRecord } from '../../../engine/definitions/definition';
import type { ListState } from '../../../engine/lists/list-state';
import { filterWithFixed } from '../../../engine/lists/tabs';
import type { CountedTree } from '../../../engine/lists/tree';
import type { Registry } from '../../../engine/registry/registry';
import { fetchApi } from '../../session/api';
import { useApi } from '../../session/apiClient';

/**
 * The definition whose records are the tree beside a list, for those who may list them.
 *
 * @example treeTarget(definition, registry, actor)?.labels.many; // 'Modules'
 */
export function treeTarget(
  definition: Definition,
  registry: Pick<Registry, 'get'>,
  actor: Actor,
): Definition | undefined {
  const names = definition.list.tree ?? [];
  const target = registry.get(definition.fields[names[0] ?? '']?.to ?? '');
  if (!target || !isGranted(actor, target.name, 'list')) return undefined;
  const readable = grantedFields(actor, definition, 'list');
  return names.every((fieldName) => readable.has(fieldName)) ? target : undefined;
}

/**
 * The tree beside a list, counted within the list's filters. The query lies under react-admin's list key, so that
 * whatever invalidates the list invalidates the counts. It is loaded while it is shown.
 *
 * @example const { tree } = useTree(definition, state, fixedValues, isShown);
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
