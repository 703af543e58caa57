import { useMemo } from 'react';
import { useGetOne, type RaRecord } from 'react-admin';
import { isGranted } from '../../../engine/access/access-decision';
import type { Definition, ResourceRecord, ViewSettings } from '../../../engine/definitions/definition';
import { openView } from '../../../engine/lists/saved-views';
import { formatListState, type SortOrder } from '../../../engine/lists/list-state';
import type { Tile } from '../../../engine/pages/tiles';
import { useDefinitions } from '../../data/DefinitionsContext';
import { useScopedFilter } from '../../preferences/listScope';

/** Which records a tile is about. */
export interface TileFilter {
  /** As in the list's call; undefined while its view is loaded. */
  readonly filter: ResourceRecord | undefined;
  readonly sort: SortOrder;
  /** The list with the same records; undefined where no filter can say it. */
  readonly listPath: string | undefined;
  /** Why it cannot be shown. */
  readonly problem?: string;
}

const noFilter: ResourceRecord = {};

/** Returns which records a tile is about: those of its view, and within its condition. */
export function useTileFilter(tile: Tile, definition: Definition): TileFilter {
  const { registry, actor } = useDefinitions();
  const hasViews = registry.get('views') !== undefined && isGranted(actor, 'views', 'view');
  const { data, isError } = useGetOne<RaRecord<number> & { module: string; settings: ViewSettings }>(
    'views',
    { id: tile.view ?? 0 },
    { enabled: tile.view !== undefined && hasViews, retry: false, meta: { quiet: true } },
  );
  const tileSort = sortOf(tile.sort) ?? definition.list.sort;
  const condition = tile.where && { where: JSON.stringify(tile.where) };
  const isView = tile.view !== undefined && data?.module === definition.name;
  const viewState = useMemo(
    () => (isView ? openView(String(tile.view), data.settings ?? {}, definition, actor).state : undefined),
    [actor, data, definition, isView, tile.view],
  );
  // As in its list, whose records the tile shows.
  const scope = useScopedFilter(definition, { filters: { ...viewState?.filters, ...tile.where } }, noFilter);
  if (tile.view === undefined) {
    const filters = tile.where ? filtersOf(tile.where, definition, actor as unknown as ResourceRecord) : {};
    const state = { filters: filters ?? {}, q: '', page: 1, view: null, tab: null, sort: tileSort };
    return {
      filter: { ...condition, ...scope },
      sort: tileSort,
      listPath: filters && listPath(definition, formatListState(state, definition)),
    };
  }
  if (isError || !hasViews || (data && data.module !== definition.name)) {
    const problem = 'The view of this tile was deleted, or is not shared with you.';
    return { filter: undefined, sort: tileSort, listPath: undefined, problem };
  }
  if (!viewState) return { filter: undefined, sort: tileSort, listPath: undefined };
  return {
    filter: { ...viewState.filters, ...condition, ...scope },
    sort: sortOf(tile.sort) ?? viewState.sort,
    listPath: condition ? undefined : `/${definition.name}?view=${tile.view}`,
  };
}

/** The path of a list in a state. */
export const listPath = (definition: Definition, entries: [string, string][]) =>
  `/${definition.name}${entries.length > 0 ? `?${new URLSearchParams(entries).toString()}` : ''}`;

/** An order as tiles write it: a field, with `-` descending. */
export function sortOf(text: string | undefined): SortOrder | undefined {
  return text === undefined
    ? undefined
    : { field: text.replace(/^-/, ''), order: text.startsWith('-') ? 'DESC' : 'ASC' };
}

/** A condition as filters of the list, if they can say it: equal to a value, or one of several. */
function filtersOf(condition: object, definition: Definition, actor: ResourceRecord): ResourceRecord | undefined {
  const filters: ResourceRecord = {};
  for (const [name, test] of Object.entries(condition) as [string, unknown][]) {
    const field = Object.hasOwn(definition.fields, name) ? definition.fields[name] : undefined;
    const operand = isObject(test) && Object.keys(test).join() === '$in' ? test.$in : test;
    const values: unknown[] = Array.isArray(operand) ? operand : [operand];
    const resolvedValues = values.map((value) => {
      const key = typeof value === 'string' ? /^\$actor\.(\w+)$/.exec(value)?.[1] : undefined;
      return key ? actor[key] : value;
    });
    const isPlain = resolvedValues.every(
      (value) => ['string', 'number', 'boolean'].includes(typeof value) && !String(value).startsWith('$'),
    );
    if (!field?.filterable || !isPlain) return undefined;
    filters[name] = resolvedValues.length === 1 ? resolvedValues[0] : resolvedValues;
  }
  return filters;
}

const isObject = (value: unknown): value is ResourceRecord =>
  typeof value === 'object' && value !== null && !Array.isArray(value);
