import type { Action } from '../../../engine/definitions/definition';
import type { ModuleGroup } from './modulePermissions';

/** An item of the tree: a group, a module in it, or an action of that. Ids of leaves are grants. */
export type TreeItem = { id: string; label: string } & (
  | { kind: 'group' | 'module'; children: TreeItem[] }
  | { kind: 'action'; action: Action }
);

const actionLabels: Record<Action, string> = {
  list: 'List',
  view: 'View',
  create: 'Create',
  edit: 'Edit',
  delete: 'Delete',
};

/** The tree of groups, limited to modules whose names contain the searched text. */
export function treeItems(groups: readonly ModuleGroup[], search: string): TreeItem[] {
  const query = search.trim().toLowerCase();
  return groups.flatMap(({ label, modules }): TreeItem[] => {
    const children = modules
      .filter((module) => module.label.toLowerCase().includes(query))
      .map(({ module, label: moduleLabel, actions }): TreeItem => ({
        id: `module:${module}`,
        label: moduleLabel,
        kind: 'module',
        children: actions.map(({ id, action }) => ({
          id,
          label: actionLabels[action] ?? action,
          kind: 'action',
          action,
        })),
      }));
    return children.length > 0 ? [{ id: `group:${label}`, label, kind: 'group', children }] : [];
  });
}

/** The grants below an item. */
export function grantsIn(item: TreeItem): string[] {
  return item.kind === 'action' ? [item.id] : item.children.flatMap(grantsIn);
}

/** The ids of ticked items: given grants, and every item above whose grantable grants are all given. */
export function tickedItems(
  items: readonly TreeItem[],
  givenGrants: ReadonlySet<string>,
  mayGive: (id: string) => boolean,
): string[] {
  return items.flatMap((item) => {
    if (item.kind === 'action') return givenGrants.has(item.id) ? [item.id] : [];
    const grants = grantsIn(item);
    const open = grants.filter(mayGive);
    const countedGrants = open.length > 0 ? open : grants;
    const full = countedGrants.length > 0 && countedGrants.every((id) => givenGrants.has(id));
    return [...(full ? [item.id] : []), ...tickedItems(item.children, givenGrants, mayGive)];
  });
}

/** The grants after items were ticked or unticked: all below a ticked item, none below an unticked one. */
export function applyTicks(
  givenGrants: ReadonlySet<string>,
  ticked: readonly TreeItem[],
  unticked: readonly TreeItem[],
  mayGive: (id: string) => boolean,
  mayTake = mayGive,
): Set<string> {
  const nextGrants = new Set(givenGrants);
  for (const id of unticked.flatMap(grantsIn).filter(mayTake)) nextGrants.delete(id);
  for (const id of ticked.flatMap(grantsIn).filter(mayGive)) nextGrants.add(id);
  return nextGrants;
}
