import { createContext, type ReactNode } from 'react';

/** An entry of the side menu: a path of the application. */
export interface MenuItem {
  to: string;
  label: string;
  /** One of `iconNames`. */
  icon: string;
  /** The letter that opens it after G. */
  key?: string;
  /** A mark at the entry's end, such as the number of unread notifications. */
  mark?: ReactNode;
  /** The screens that share the entry, which they show as tabs: the entry leads to the first. */
  tabs?: MenuItem[];
}

/** A group of entries. Without a label it has no heading. */
export interface MenuGroup {
  label?: string;
  items: MenuItem[];
}

/** Where people go: the entries of the side menu, and those of the settings. */
export interface Menu {
  groups: MenuGroup[];
  settings: MenuGroup[];
}

/** The list of settings, for the page that shows it on phones. */
export const SettingsContext = createContext<readonly MenuGroup[]>([]);

/** The path of the list of settings. */
export const settingsPath = '/settings';

/** The entry of a path: the one with the longest matching path. */
export function activeItem(groups: readonly MenuGroup[], path: string): MenuItem | undefined {
  return groups
    .flatMap(({ items }) => items.flatMap((item) => (item.tabs ?? [item]).map(({ to: start }) => ({ item, start }))))
    .filter(({ start }) => path === start || path.startsWith(`${start}/`))
    .sort((first, second) => second.start.length - first.start.length)[0]?.item;
}
