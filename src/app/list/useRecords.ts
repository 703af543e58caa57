import { keepPreviousData, useQuery, type QueryKey } from '@tanstack/react-query';
import { useDataProvider, type RaRecord } from 'react-admin';
import { useMemo } from 'react';
import type { ResourceRecord } from '../../engine/definitions/definition';
import { choicesOfShown, readableColumns } from '../../engine/lists/columns';
import { pageSizeOf, type ListState, type ShownColumn } from '../../engine/lists/list-state';
import { filterWithFixed } from '../../engine/lists/tabs';
import { useLostConnection } from '../session/connection';
import { groupingOf, groupQuery, type NamedGrouping } from '../../engine/lists/grouping';
import { requestedFields } from '../../engine/lists/requested-fields';
import { useDefinitions } from '../data/DefinitionsContext';
import { useColumnChoices } from '../preferences/useColumnChoices';
import { exactTotalKey, useBestTotal, useTotal } from './useTotal';

export const noFixedFilter: Readonly<ResourceRecord> = {};

export interface ListRecords {
  /** Undefined until the first response; then the shown records, even while the next page loads. */
  data: RaRecord[] | undefined;
  total: number | undefined;
  /** Those of them that are on the pages: not in groups that are closed. */
  paged: number | undefined;
  /** Of `paged`, for `useBestTotal`. */
  totalKey?: QueryKey;
  /** Their grouping. */
  grouping: NamedGrouping | undefined;
  isFetching: boolean;
  isPending: boolean;
  /** The shown records, and their total, are still those of another state. */
  isPlaceholderData: boolean;
  /** Other records than those shown are loading; a refetch of the same does not count. */
  isReplacing: boolean;
  /** Set only if there is nothing to show. */
  error: Error | null;
  /** When the shown records were loaded, in milliseconds since 1970, if refreshing them failed. */
  oldSince?: number;
  refetch: () => void;
}

/** Whether a list has no records to show; where groups are closed, theirs are not among those that are loaded. */
export function isEmptyList(
  { data, grouping, isReplacing }: Pick<ListRecords, 'data' | 'grouping' | 'isReplacing'>,
  { closed: closedGroups }: Pick<ListState, 'closed'>,
): boolean {
  return data?.length === 0 && !isReplacing && !(grouping && closedGroups);
}

/**
 * A page of a resource's list, within fixed filters; of a grouped list in the order of the groups. It uses react-admin's query key, so that its mutations invalidate
 * it.
 *
 * @example const { data, total } = useRecords('tasks', state, { project_id: 7 });
 */
export function useRecords(
  resource: string,
  state: ListState,
  fixedFilter: ResourceRecord = noFixedFilter,
  columns: ColumnSet = 'chosen',
): ListRecords {
  const dataProvider = useDataProvider();
  const isLost = useLostConnection() !== null;
  const { registry, actor } = useDefinitions();
  const { sort, page, filters, q, group, closed: closedKeys } = state;
  const perPage = pageSizeOf(state);
  const grouping = useMemo(() => {
    const definition = registry.get(resource);
    return definition && groupingOf({ group }, definition, actor);
  }, [actor, group, registry, resource]);
  const fieldsMeta = useRequestedFields(
    resource,
    grouping ? { ...filters, [grouping.field]: true } : filters,
    columns,
    state.columns,
  );
  const query = useMemo(
    () => grouping && groupQuery({ closed: closedKeys, sort }, grouping),
    [closedKeys, grouping, sort],
  );
  const meta = useMemo(
    () => ({ ...fieldsMeta, ...(query === undefined ? { byKey: true } : { query }) }),
    [fieldsMeta, query],
  );
  const params = useMemo(
    () => ({
      pagination: { page, perPage },
      sort: { ...sort },
      filter: filterWithFixed({ filters, q }, fixedFilter),
      meta,
    }),
    [filters, fixedFilter, meta, page, perPage, q, sort],
  );
  const isPartial = grouping !== undefined && closedKeys !== undefined;
  const unpagedTotal = useTotal(resource, params.filter, isPartial);
  const { data, dataUpdatedAt, isFetching, isPending, isPlaceholderData, error, refetch } = useQuery({
    queryKey: [resource, 'getList', params],
    queryFn: ({ signal }) => dataProvider.getList<RaRecord>(resource, { ...params, signal }),
    placeholderData: keepPreviousData,
  });
  const totalKey = exactTotalKey(resource, params.filter, isPartial ? query : '');
  const paged = useBestTotal(totalKey, data?.total);
  return {
    data: data?.data,
    total: isPartial ? unpagedTotal : paged,
    paged,
    totalKey,
    grouping,
    isFetching,
    isPending,
    isPlaceholderData,
    isReplacing: isFetching && (isPlaceholderData || data === undefined),
    error: data ? null : error,
    ...((error || isLost) && data && !isPlaceholderData && { oldSince: dataUpdatedAt }),
    refetch: () => void refetch(),
  };
}

/** The fields that a resource's list, cards and board need. */
export interface RequestedFields {
  fields?: readonly string[];
}

/** The user's columns, the definition's, or every field: of layouts that the product has, nobody knows which they show. */
export type ColumnSet = 'chosen' | 'defined' | 'all';

/**
 * The fields that a resource's list, cards and board need.
 *
 * @example const meta = useRequestedFields('tasks', state.filters);
 */
export function useRequestedFields(
  resource: string,
  filters: ResourceRecord,
  columns: ColumnSet = 'chosen',
  shownColumns?: readonly ShownColumn[],
): RequestedFields {
  const { registry, actor } = useDefinitions();
  const isChosen = columns === 'chosen' && !shownColumns;
  const { choices: storedChoices } = useColumnChoices(resource, isChosen);
  const filterNames = Object.keys(filters).join();
  return useMemo(() => {
    const definition = registry.get(resource);
    if (!definition || columns === 'all') return {};
    const choices = shownColumns
      ? choicesOfShown(readableColumns(definition, actor), shownColumns)
      : isChosen
        ? storedChoices
        : null;
    return { fields: requestedFields(definition, registry, actor, choices, filterNames.split(',')) };
  }, [actor, columns, filterNames, isChosen, storedChoices, registry, resource, shownColumns]);
}
