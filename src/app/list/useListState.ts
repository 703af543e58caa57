import { useCallback, useEffect, useMemo } from 'react';
import { realUser } from '../../engine/access/actor';
import type { Definition } from '../../engine/definitions/definition';
import { parseListState, formatListState, isSavedView, type ListState } from '../../engine/lists/list-state';
import { useDefinitions } from '../data/DefinitionsContext';
import { rememberAddress } from '../preferences/lastAddress';
import { rememberChange } from '../preferences/rememberedScreens';
import { useListAddress } from '../navigation/listAddress';

/** Changes the list's state; `replace` adds no history entry. */
export type ChangeList = (change: (state: ListState) => ListState, options?: { replace?: boolean }) => void;

/**
 * The list's state, stored in the address, and a function to change it. Filters and sorting that the user sets are
 * remembered for the next visit: of the list, or of another `screen` about its records.
 *
 * @example const [state, change] = useListState(definition);
 */
export function useListState(definition: Definition, screen = definition.name): [ListState, ChangeList] {
  const person = realUser(useDefinitions().actor).id;
  const { search, latest, change: setSearch } = useListAddress();
  const state = useMemo(() => parseListState(new URLSearchParams(search), definition), [search, definition]);

  useEffect(() => {
    rememberAddress(person, screen, search.slice(1));
  }, [person, screen, search]);

  const change = useCallback<ChangeList>(
    (make, options) => {
      // Start from the address instead of this render's state, so that two changes in a row both apply.
      const now = parseListState(new URLSearchParams(latest()), definition);
      const nextState = make(now);
      // A change on a saved view belongs to that view.
      if (!isSavedView(now) && !isSavedView(nextState))
        rememberChange(person, screen, persistentQuery(now, definition), persistentQuery(nextState, definition));
      const next = searchOf(nextState, definition);
      if (next !== latest()) setSearch(next, options);
    },
    [definition, latest, person, screen, setSearch],
  );
  return [state, change];
}

/** The part of a state that is remembered: filters, sorting, grouping and totals, as a query without `?`. */
function persistentQuery(state: ListState, definition: Definition): string {
  const { filters, sort, group, totals } = state;
  return searchOf({ filters, sort, q: '', page: 1, view: null, tab: null, group, totals }, definition).slice(1);
}

/** A state as a query, `?` included; empty if all is default. */
function searchOf(state: ListState, definition: Definition): string {
  const query = new URLSearchParams(formatListState(state, definition)).toString();
  return query && `?${query}`;
}
