import { useState } from 'react';
import { useNavigate } from 'react-router-dom';
import { realUser } from '../../engine/access/actor';
import type { Definition } from '../../engine/definitions/definition';
import { formatListState, pageSizeOf, parseListState } from '../../engine/lists/list-state';
import { pageCount } from '../../engine/lists/pagination';
import { pagePath } from '../../engine/lists/row-actions';
import { activeTab } from '../../engine/lists/tabs';
import { useDefinitions } from '../data/DefinitionsContext';
import { followCard } from '../list/cards/useRestoredCard';
import { followFocus } from '../list/grid/useRestoredFocus';
import { noFixedFilter, useRecords } from '../list/useRecords';
import { useListScope, useScopedFilter } from '../preferences/listScope';
import { lastAddress, rememberAddress } from '../preferences/lastAddress';

/** Where a record is in its list, as that was last left in this tab, and how to reach the records beside it. */
export interface Neighbours {
  /** From 1; undefined: it is not on the list's page, or that is loading. */
  readonly position?: number;
  readonly total?: number;
  /** Undefined: there is none. */
  readonly previous?: () => void;
  readonly next?: () => void;
}

/**
 * The records before and after one, in the order and within the filters of its list.
 *
 * @example const { next } = useNeighbours(definition, '7');
 */
export function useNeighbours(definition: Definition, id: string): Neighbours {
  const { name } = definition;
  const person = realUser(useDefinitions().actor).id;
  const navigate = useNavigate();
  const [query, setQuery] = useState(() => lastAddress(person, name) ?? '');
  // A choice in the switcher takes back that of the list.
  const scope = useListScope();
  const [scopeOfQuery, setScopeOfQuery] = useState(scope);
  if (scopeOfQuery !== scope) {
    setScopeOfQuery(scope);
    setQuery(lastAddress(person, name) ?? '');
  }
  const state = parseListState(new URLSearchParams(query), definition);
  const fixedFilter = useScopedFilter(definition, state, activeTab(definition, state)?.filter ?? noFixedFilter);
  const { data: rows = [], paged: total } = useRecords(name, state, fixedFilter);
  const index = rows.findIndex((row) => String(row.id) === id);
  // A change may have moved the record elsewhere: those beside it are still those beside its place.
  const [lastPosition, setLastPosition] = useState<{ id: string; position: number }>();
  if (index >= 0 && (lastPosition?.id !== id || lastPosition.position !== index))
    setLastPosition({ id, position: index });
  const shownIndex = index < 0 && lastPosition?.id === id ? lastPosition.position : index;
  const isLast = shownIndex === rows.length - 1;
  const { page } = state;
  const perPage = pageSizeOf(state);
  const hasMore = total !== undefined && pageCount({ page, perPage, shownCount: rows.length, total }) > page;
  // Beyond the edges of the list's page; elsewhere these are the same request.
  const previousRows = useRecords(
    name,
    { ...state, page: shownIndex === 0 && page > 1 ? page - 1 : page },
    fixedFilter,
  ).data;
  const nextRows = useRecords(name, { ...state, page: isLast && hasMore ? page + 1 : page }, fixedFilter).data;
  const go = (next: string | number, targetPage: number) => {
    if (targetPage !== page) {
      const targetQuery = new URLSearchParams(formatListState({ ...state, page: targetPage }, definition)).toString();
      rememberAddress(person, name, targetQuery);
      setQuery(targetQuery);
    }
    followFocus(name, next);
    followCard(name, String(next));
    void navigate(pagePath(name, next), { replace: true });
  };
  if (shownIndex < 0 || total === undefined) return {};
  const previous =
    shownIndex > 0 ? rows[shownIndex - 1] : page > 1 && previousRows !== rows ? previousRows?.at(-1) : undefined;
  const next =
    index < 0
      ? rows[shownIndex]
      : !isLast
        ? rows[shownIndex + 1]
        : hasMore && nextRows !== rows
          ? nextRows?.[0]
          : undefined;
  return {
    ...(index >= 0 && { position: (page - 1) * perPage + index + 1 }),
    total,
    ...(previous && { previous: () => go(previous.id, shownIndex > 0 ? page : page - 1) }),
    ...(next && { next: () => go(next.id, isLast && index >= 0 ? page + 1 : page) }),
  };
}
