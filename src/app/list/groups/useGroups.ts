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
): { readonly counted: CountedGroups | undefined; readonly error: Error | null; readonly retry: () => void } {
  const ask = useApi();
  const {
    definition: { name },
    state: { filters, q, sort },
    fixed,
  } = useResourceList();
  const isDescending = sort.order === 'DESC' && sort.field === grouping?.field;
  const query = useMemo(() => {
    const asked = new URLSearchParams({ take: takesOf(totals), totals: '1' });
    if (grouping) asked.set('group', grouping.name);
    if (grouping) asked.set('sort_by', isDescending ? '-group' : 'group');
    asked.set('filter', JSON.stringify(filterWithFixed({ filters, q }, fixed)));
    return asked.toString();
  }, [filters, fixed, grouping, isDescending, q, totals]);
  const { data, error, refetch } = useQuery({
    queryKey: [name, 'getList', 'groups', query],
    queryFn: async ({ signal }) => ({
      by: grouping?.name,
      answer: await fetchApi<Answer>(`/${name}/aggregate?${query}`, { signal }, ask),
    }),
    placeholderData: keepPreviousData,
    meta: { quiet: true },
  });
  const by = grouping?.name;
  const counted = useMemo(() => {
    // Those of another grouping are no placeholder.
    if (!data || data.by !== by) return undefined;
    if (by === undefined) return { groups: [], totals: data.answer.totals };
    const groups = data.answer.data.map(({ group, titles, count, ...figures }): ListGroup => {
      const value = group[by] ?? null;
      return { key: String(value ?? ''), value, title: titles[by] ?? null, count, figures };
    });
    return { groups, totals: data.answer.totals };
  }, [by, data]);
  return { counted, error: counted ? null : error, retry: () => void refetch() };
}
