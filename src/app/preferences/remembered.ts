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

/** Keeps a screen's filters and order for a user. */
export function rememberQuery(user: number, screen: string, query: string): void {
  write(queryKey(user, screen), query);
}
