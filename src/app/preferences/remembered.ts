import { isListView, type ListView } from '../../engine/lists/list-state';

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
 * sign-in. Null: none that is known.
 */
export function rememberedView(user: number, screen: string, isPhone: boolean): ListView | null {
  // A grid chosen on a wide screen does not apply to phones; a board does.
  const elsewhere = read(viewKey(user, screen, false)) ?? read('listView');
  const value = isPhone ? (read(viewKey(user, screen, true)) ?? (elsewhere === 'list' ? null : elsewhere)) : elsewhere;
  return isListView(value) ? value : null;
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
 * Stores what a user changed by hand on a screen, given filters and sorting before and after as query strings. What a
 * link set is not stored. Removing the last filter removes all stored ones.
 *
 * @example rememberChange(actor.id, 'tasks', 'status_id=3', 'status_id=3,5');
 */
export function rememberChange(user: number, screen: string, before: string, after: string): void {
  const was = new URLSearchParams(before);
  const is = new URLSearchParams(after);
  const kept = new URLSearchParams(rememberedQuery(user, screen));
  const names = new Set([...was.keys(), ...is.keys()]);
  const changed = [...names].filter((name) => was.get(name) !== is.get(name));
  if (changed.length === 0) return;
  for (const name of changed) {
    if (is.has(name)) kept.set(name, is.get(name)!);
    else kept.delete(name);
  }
  if ([...is.keys()].every(isSortParameter))
    for (const name of [...kept.keys()]) if (!isSortParameter(name)) kept.delete(name);
  write(queryKey(user, screen), kept.toString());
}

/** Forgets filters of a screen by their names, and a sort by one of them. */
export function forgetFilters(user: number, screen: string, names: readonly string[]): void {
  const kept = new URLSearchParams(rememberedQuery(user, screen));
  for (const name of names) {
    kept.delete(name);
    kept.delete(`filter.${name}`);
    if (kept.get('sort')?.replace(/^-/, '') === name) kept.delete('sort');
  }
  write(queryKey(user, screen), kept.toString());
}

const isSortParameter = (name: string) => name === 'sort';

/** Query parameters that are not filters. */
const nonFilterParameters = new Set(['q', 'sort', 'page', 'view', 'tab', 'month', 'day', 'columns', 'shown', 'scale']);

/** Whether all filters of a query are among a user's stored ones. */
export function isRemembered(query: string, kept: string): boolean {
  const known = new URLSearchParams(kept);
  return [...new URLSearchParams(query)].every(
    ([name, value]) => nonFilterParameters.has(name) || known.get(name) === value,
  );
}
