import { isGranted } from '../../engine/access/access-decision';
import type { Definition } from '../../engine/definitions/definition';
import type { MenuGroup, MenuItem } from '../layout/menu';
import { homePath, type CustomScreen } from '../product';
import type { Definitions } from '../data/DefinitionsContext';

interface MenuEntry extends MenuItem {
  group: string;
  order: number;
}

/** A definition whose resource is in the menu. */
export type MenuDefinition = Definition & { readonly menu: NonNullable<Definition['menu']> };

/** The group that is collapsed at first and comes last. */
const lastGroup = 'Reference data';

/** The definitions in the menu whose lists the actor may open, in menu order. */
export function menuDefinitions({ registry, actor }: Definitions): MenuDefinition[] {
  return [...registry.definitions.values()]
    .filter((definition): definition is MenuDefinition => Boolean(definition.menu))
    .filter(({ name }) => isGranted(actor, name, 'list'))
    .sort((left, right) => left.menu.order - right.menu.order || left.labels.many.localeCompare(right.labels.many));
}

/** The side menu, built from definitions and screens as far as the actor has access. */
export function buildMenu(definitions: Definitions, screens: readonly CustomScreen[]): MenuGroup[] {
  const entries: MenuEntry[] = menuDefinitions(definitions).map(({ name, labels, menu }) => ({
    to: `/${name}`,
    label: labels.many,
    icon: menu.icon,
    group: menu.group,
    order: menu.order,
  }));
  for (const { path, menu, allowed: isAllowed } of screens) {
    if (!menu || isAllowed?.(definitions) === false) continue;
    entries.push({ to: path, label: menu.label, icon: menu.icon, group: menu.group ?? '', order: menu.order ?? 0 });
  }
  if (!screens.some(({ path }) => path === homePath())) {
    entries.push({ to: homePath(), label: 'Home', icon: 'home', group: '', order: -1 });
  }
  return groupEntries(entries);
}

/** The menu with a count beside the entry of one path. */
export function withCount(groups: readonly MenuGroup[], path: string, count: number): MenuGroup[] {
  return groups.map((group) => ({
    ...group,
    items: group.items.map((item) => (item.to === path ? { ...item, count } : item)),
  }));
}

function groupEntries(entries: readonly MenuEntry[]): MenuGroup[] {
  const groups = new Map<string, MenuEntry[]>();
  for (const entry of [...entries].sort((left, right) => left.order - right.order)) {
    groups.set(entry.group, [...(groups.get(entry.group) ?? []), entry]);
  }
  const rank = (name: string) => (name === '' ? 0 : name === lastGroup ? 2 : 1);
  return [...groups]
    .sort(([left], [right]) => rank(left) - rank(right))
    .map(([label, items]) => ({
      ...(label && { label }),
      items: items.map(({ to: path, label: name, icon }) => ({ to: path, label: name, icon })),
      ...(label === lastGroup && { collapsed: true, icon: 'database' }),
    }));
}
