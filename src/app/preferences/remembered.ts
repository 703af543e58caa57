import type { View } from '../../engine/lists/list-state';

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
    // A browser that stores nothing forgets the choice with the page.
  }
}

/** A screen of days: as a calendar, or as a graph. */
export type GraphView = 'list' | 'graph';

const viewKey = (user: number, screen: string, isPhone: boolean) =>
  `${isPhone ? 'listViewOnPhone' : 'listView'}.${user}.${screen}`;
const graphKey = (user: number, screen: string) => `graphView.${user}.${screen}`;
const queryKey = (user: number, screen: string) => `assay.filters.${user}.${screen}`;

/**
 * The way a user last looked at a screen, on a phone or elsewhere; before any choice, what signing in left for all
 * screens. Null: none of the known ones.
 */
export function rememberedView(user: number, screen: string, isPhone: boolean): View | null {
  // A grid that was chosen where it has space is no choice for a phone; a board is.
  const elsewhere = read(viewKey(user, screen, false)) ?? read('listView');
  const value = isPhone ? (read(viewKey(user, screen, true)) ?? (elsewhere === 'list' ? null : elsewhere)) : elsewhere;
  return value === 'list' || value === 'cards' || value === 'kanban' ? value : null;
}

/** Keeps the way a user looks at a screen, on a phone or elsewhere. */
export function rememberView(user: number, screen: string, view: View, isPhone: boolean): void {
  write(viewKey(user, screen, isPhone), view);
}

/** The way a user last looked at a screen that has a graph; before any choice, what signing in left for all screens. */
export function rememberedGraphView(user: number, screen: string): GraphView {
  return (read(graphKey(user, screen)) ?? read('graphView')) === 'graph' ? 'graph' : 'list';
}

/** Keeps the way a user looks at a screen that has a graph. */
export function rememberGraphView(user: number, screen: string, view: GraphView): void {
  write(graphKey(user, screen), view);
}

/** The filters and order that a user last had on a screen, as a query string without `?`; empty: none. */
export function rememberedQuery(user: number, screen: string): string {
  return read(queryKey(user, screen)) ?? '';
}

/**
 * Keeps what a user changed by hand on a screen: filters and order before and after, as query strings. What a link set
 * is not kept. Whoever takes the last filter away wants none the next time either.
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
  if ([...is.keys()].every(isOrder)) for (const name of [...kept.keys()]) if (!isOrder(name)) kept.delete(name);
  write(queryKey(user, screen), kept.toString());
}

const isOrder = (name: string) => name === 'sort';

/** Names of an address that are no filters. */
const others = new Set(['q', 'sort', 'page', 'view', 'tab', 'month', 'day']);

/** Whether all filters of a screen's query are among those that are kept for its user. */
export function isKept(query: string, kept: string): boolean {
  const known = new URLSearchParams(kept);
  return [...new URLSearchParams(query)].every(([name, value]) => others.has(name) || known.get(name) === value);
}
