import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { useMemo } from 'react';
import type { ResourceRecord, TotalFunction } from '../../../engine/definitions/definition';
import { takesOf, type Figures, type ListGroup } from '../../../engine/lists/group-rows';
import type { NamedGrouping } from '../../../engine/lists/grouping';
import { filterWithFixed } from '../../../engine/lists/tabs';
import { fetchApi } from '../../session/api';
import { useApi } from '../../session/apiClient';
import { useResourceList } from '../ResourceList';

interface Answer {
  readonly data: readonly (Figures & {
    readonly group: ResourceRecord;
    readonly titles: Readonly<Record<string, string | null>>;
    readonly count: number;
  })[];
  readonly totals: Figures & { readonly count: number };
}

/** The groups of a list in their order, and its totals. */
export interface CountedGroups {
  readonly groups: readonly ListGroup[];
  readonly totals: Figures & { readonly count: number };
}

/**
 * Counts the groups of the surrounding list within its filters, all of them and not only those of the page, and takes its totals: one
 * call. It lies under react-admin's list key, so that whatever invalidates the list invalidates them.
 */
export function useGroups(
  grouping: NamedGrouping | undefined,
  totals: Readonly<Record<string, TotalFunction>>,
): { readonly countedGroups: CountedGroups | undefined; readonly error: Error | null; readonly retry: () => void } {
  const ask = useApi();
  const {
    definition: { name },
    state: { filters, q, sort },
    fixedValues: fixedFilter,
  } = useResourceList();
  const isDescending = sort.order === 'DESC' && sort.field === grouping?.field;
  const query = useMemo(() => {
    const params = new URLSearchParams({ take: takesOf(totals), totals: '1' });
    if (grouping) params.set('group', grouping.name);
    if (grouping) params.set('sort_by', isDescending ? '-group' : 'group');
    params.set('filter', JSON.stringify(filterWithFixed({ filters, q }, fixedFilter)));
    return params.toString();
  }, [filters, fixedFilter, grouping, isDescending, q, totals]);
  const { data, error, refetch } = useQuery({
    queryKey: [name, 'getList', 'groups', query],
    queryFn: async ({ signal }) => ({
      by: grouping?.name,
      answer: await fetchApi<Answer>(`/${name}/aggregate?${query}`, { signal }, ask),
    }),
    placeholderData: keepPreviousData,
    meta: { quiet: true },
  });
  const groupName = grouping?.name;
  const countedGroups = useMemo(() => {
    // Those of another grouping are no placeholder.
    if (!data || data.by !== groupName) return undefined;
    if (groupName === undefined) return { groups: [], totals: data.answer.totals };
    const groups = data.answer.data.map(({ group, titles, count, ...figures }): ListGroup => {
      const value = group[groupName] ?? null;
      return { key: String(value ?? ''), value, title: titles[groupName] ?? null, count, figures };
    });
    return { groups, totals: data.answer.totals };
  }, [groupName, data]);
  return { countedGroups, error: countedGroups ? null : error, retry: () => void refetch() };
}
