import type { ReactNode } from 'react';
import { isGranted } from '../../engine/access/access-decision';
import type { Definition } from '../../engine/definitions/definition';
import { firstOf } from '../../engine/values/lookups';
import type { Menu, MenuGroup, MenuItem } from '../layout/menu';
import { mayAdd } from '../actions/useMayAdd';
import { homePath, type CustomScreen } from '../product';
import type { Definitions } from '../data/DefinitionsContext';

interface Entry extends MenuItem {
  group: string;
  tabOf?: string;
  isSetting: boolean;
  order: number;
}

/** A definition whose resource is in the menu. */
export type MenuDefinition = Definition & { readonly menu: NonNullable<Definition['menu']> };

/** The definitions in the menu whose lists the actor may open, in menu order. */
export function menuDefinitions({ registry, actor }: Definitions): MenuDefinition[] {
  return [...registry.definitions.values()]
    .filter((definition): definition is MenuDefinition => Boolean(definition.menu))
    .filter(({ name }) => isGranted(actor, name, 'list'))
    .sort((left, right) => left.menu.order - right.menu.order || left.labels.many.localeCompare(right.labels.many));
}

/** The definitions with a key whose records the actor may add. */
export function addableDefinitions(definitions: Definitions): MenuDefinition[] {
  return menuDefinitions(definitions).filter(
    (definition) => definition.menu.key !== undefined && mayAdd(definitions.actor, definition),
  );
}

/** `Test Case` as it is written after another word: `Test case`. Abbreviations stay. */
export function inSentence(name: string): string {
  return name.replace(/ [A-Z](?=[a-z])/g, (wordStart) => wordStart.toLowerCase());
}

/** The side menu and the settings, built from definitions and screens as far as the actor has access. */
export function buildMenu(definitions: Definitions, screens: readonly CustomScreen[]): Menu {
  const entries: Entry[] = menuDefinitions(definitions).map(({ name, labels, menu: { settings, ...menu } }) => ({
    to: `/${name}`,
    label: labels.many,
    isSetting: settings,
    ...menu,
  }));
  for (const { path, menu, allowed: isAllowed } of screens) {
    if (!menu || isAllowed?.(definitions) === false) continue;
    const { settings: isSetting = false, group = '', order = 0, ...rest } = menu;
    entries.push({ to: path, isSetting, group, order, ...rest });
  }
  if (!screens.some(({ path }) => path === homePath())) {
    entries.push({ to: homePath(), label: 'Home', icon: 'home', group: '', order: -1, isSetting: false });
  }
  entries.sort((left, right) => left.order - right.order);
  return {
    groups: groupEntries(entries.filter(({ isSetting }) => !isSetting)),
    settings: groupEntries(entries.filter(({ isSetting }) => isSetting)),
  };
}

/** The path of an entry or of one of its tabs, and what stands at the end of the entry. */
export type MenuMark = readonly [string, ReactNode];

/** The menu with the marks at the ends of its entries, by the path of the entry or of one of its tabs. The first of the marks is shown. */
export function withMarks(menu: Menu, marks: readonly MenuMark[]): Menu {
  const groups = menu.groups.map((group) => ({
    ...group,
    items: group.items.map((item) => ({
      ...item,
      mark: marks.find(([markedPath]) => (item.tabs ?? [item]).some(({ to: path }) => path === markedPath))?.[1],
    })),
  }));
  return { ...menu, groups };
}

/** Sorted entries in groups, tabs of one entry as one. Entries without a group are above the groups, or below all that come before them. */
function groupEntries(entries: readonly Entry[]): MenuGroup[] {
  const entriesByItem = new Map<string, Entry[]>();
  for (const entry of entries) {
    const itemName = entry.tabOf ?? entry.to;
    entriesByItem.set(itemName, [...(entriesByItem.get(itemName) ?? []), entry]);
  }
  const firstItems: MenuItem[] = [];
  const lastItems: MenuItem[] = [];
  const itemsByGroup = new Map<string, MenuItem[]>();
  for (const itemEntries of entriesByItem.values()) {
    const { group } = firstOf(itemEntries);
    const item = itemOf(itemEntries);
    if (group === '') (itemsByGroup.size === 0 ? firstItems : lastItems).push(item);
    else itemsByGroup.set(group, [...(itemsByGroup.get(group) ?? []), item]);
  }
  const groups = [...itemsByGroup].map(([label, items]): MenuGroup => ({ label, items }));
  return [{ items: firstItems }, ...groups, { items: lastItems }].filter(({ items }) => items.length > 0);
}

/** The entry of the screens that are its tabs; a screen alone has its own name. */
function itemOf(entries: readonly Entry[]): MenuItem {
  const tabs = entries.map(({ to: path, label, icon, key }) => ({ to: path, label, icon, ...(key && { key }) }));
  const first = firstOf(tabs);
  if (tabs.length === 1) return first;
  const key = tabs.find((tab) => tab.key)?.key;
  return { ...first, label: firstOf(entries).tabOf ?? first.label, ...(key && { key }), tabs };
}
