import { useState } from 'react';
import { useNavigate } from 'react-router';
import { realUser } from '../../engine/access/actor';
import type { Definition } from '../../engine/definitions/definition';
import { formatListState, parseListState, perPage } from '../../engine/lists/list-state';
import { activeTab } from '../../engine/lists/tabs';
import { useDefinitions } from '../admin/DefinitionsContext';
import { followCard } from '../list/cards/useRestoredCard';
import { followFocus } from '../list/grid/useRestoredFocus';
import { noFixedFilter, useRecords } from '../list/useRecords';
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
  const state = parseListState(new URLSearchParams(query), definition);
  const fixed = activeTab(definition, state)?.filter ?? noFixedFilter;
  const { data: rows = [], paged: total } = useRecords(name, state, fixed);
  const at = rows.findIndex((row) => String(row.id) === id);
  // A change may have moved the record elsewhere: those beside it are still those beside its place.
  const [place, setPlace] = useState<{ id: string; at: number }>();
  if (at >= 0 && (place?.id !== id || place.at !== at)) setPlace({ id, at });
  const kept = at < 0 && place?.id === id ? place.at : at;
  const isLast = kept === rows.length - 1;
  const { page } = state;
  const hasMore = total !== undefined && page * perPage < total;
  // Beyond the edges of the list's page; elsewhere these are the same request.
  const before = useRecords(name, { ...state, page: kept === 0 && page > 1 ? page - 1 : page }, fixed).data;
  const after = useRecords(name, { ...state, page: isLast && hasMore ? page + 1 : page }, fixed).data;
  const go = (next: string | number, to: number) => {
    if (to !== page) {
      const moved = new URLSearchParams(formatListState({ ...state, page: to }, definition)).toString();
      rememberAddress(person, name, moved);
      setQuery(moved);
    }
    followFocus(name, next);
    followCard(name, String(next));
    void navigate(`/${name}/${next}/page`, { replace: true });
  };
  if (kept < 0 || total === undefined) return {};
  const previous = kept > 0 ? rows[kept - 1] : page > 1 && before !== rows ? before?.at(-1) : undefined;
  const next = at < 0 ? rows[kept] : !isLast ? rows[kept + 1] : hasMore && after !== rows ? after?.[0] : undefined;
  return {
    ...(at >= 0 && { position: (page - 1) * perPage + at + 1 }),
    total,
    ...(previous && { previous: () => go(previous.id, kept > 0 ? page : page - 1) }),
    ...(next && { next: () => go(next.id, isLast && at >= 0 ? page + 1 : page) }),
  };
}
