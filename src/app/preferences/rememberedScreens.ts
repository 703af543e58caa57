import type { ListView } from '../../engine/lists/list-state';

function read(key: string): string | null {
  try {
    return localStorage.getItem(key);
  } catch {
    return null;
  }
}

function write(key: string, value: string): void {
  try {
    localStorage.setItem(key, value);
  } catch {
    // Without storage the choice is lost with the page.
  }
}

/** The view of a screen of days: calendar or graph. */
export type GraphView = 'list' | 'graph';

const viewKey = (user: number, screen: string, isPhone: boolean) =>
  `${isPhone ? 'listViewOnPhone' : 'listView'}.${user}.${screen}`;
const graphKey = (user: number, screen: string) => `graphView.${user}.${screen}`;
const queryKey = (user: number, screen: string) => `assay.filters.${user}.${screen}`;

/**
 * The view that a user last chose for a screen, on a phone or elsewhere; before any choice, the default stored at
 * sign-in; the list may have it no longer. Null: none.
 */
export function rememberedView(user: number, screen: string, isPhone: boolean): string | null {
  // A grid chosen on a wide screen does not apply to phones; a board does.
  const wideView = read(viewKey(user, screen, false)) ?? read('listView');
  return isPhone ? (read(viewKey(user, screen, true)) ?? (wideView === 'list' ? null : wideView)) : wideView;
}

/** Stores the view that a user chose for a screen, on a phone or elsewhere. */
export function rememberView(user: number, screen: string, view: ListView, isPhone: boolean): void {
  write(viewKey(user, screen, isPhone), view);
}

/**
 * The view that a user last chose for a screen with a graph; before any choice, the default stored at sign-in.
 *
 * @example const view = rememberedGraphView(actor.id, 'task-analytics');
 */
export function rememberedGraphView(user: number, screen: string): GraphView {
  return (read(graphKey(user, screen)) ?? read('graphView')) === 'graph' ? 'graph' : 'list';
}

/**
 * Stores the view that a user chose for a screen with a graph.
 *
 * @example rememberGraphView(actor.id, 'task-analytics', 'graph');
 */
export function rememberGraphView(user: number, screen: string, view: GraphView): void {
  write(graphKey(user, screen), view);
}

/** The filters and sorting that a user last set on a screen, as a query string without `?`; empty: none. */
export function rememberedQuery(user: number, screen: string): string {
  return read(queryKey(user, screen)) ?? '';
}

/**
 * Stores what a user changed by hand on a screen, given filters and sorting before and after as query strings. Settings
 * of a link are not stored. Removing the last filter removes all stored ones.
 *
 * @example rememberChange(actor.id, 'tasks', 'status_id=3', 'status_id=3,5');
 */
export function rememberChange(user: number, screen: string, queryBefore: string, queryAfter: string): void {
  const oldQuery = new URLSearchParams(queryBefore);
  const newQuery = new URLSearchParams(queryAfter);
  const storedQuery = new URLSearchParams(rememberedQuery(user, screen));
  const names = new Set([...oldQuery.keys(), ...newQuery.keys()]);
  const changedNames = [...names].filter((name) => oldQuery.get(name) !== newQuery.get(name));
  if (changedNames.length === 0) return;
  for (const name of changedNames) {
    const value = newQuery.get(name);
    if (value === null) storedQuery.delete(name);
    else storedQuery.set(name, value);
  }
  if ([...newQuery.keys()].every(isSortParameter))
    for (const name of [...storedQuery.keys()]) if (!isSortParameter(name)) storedQuery.delete(name);
  write(queryKey(user, screen), storedQuery.toString());
}

/** Forgets filters of a screen by their names, and a sort by one of them. */
export function forgetFilters(user: number, screen: string, names: readonly string[]): void {
  const storedQuery = new URLSearchParams(rememberedQuery(user, screen));
  for (const name of names) {
    storedQuery.delete(name);
    storedQuery.delete(`filter.${name}`);
    if (storedQuery.get('sort')?.replace(/^-/, '') === name) storedQuery.delete('sort');
  }
  write(queryKey(user, screen), storedQuery.toString());
}

const isSortParameter = (name: string) => name === 'sort';

/** Query parameters that are not filters. */
const nonFilterParameters = new Set(['q', 'sort', 'page', 'view', 'tab', 'month', 'day', 'columns', 'shown', 'scale']);

/** Whether all filters of a query are among a user's stored ones. */
export function isRemembered(query: string, storedQuery: string): boolean {
  const storedParameters = new URLSearchParams(storedQuery);
  return [...new URLSearchParams(query)].every(
    ([name, value]) => nonFilterParameters.has(name) || storedParameters.get(name) === value,
  );
}
