import { actions, type Action } from '../../../engine/definitions/definition';
import type { Registry } from '../../../engine/registry/registry';
import { fetchApi } from '../../session/api';

/** A module and its grants. */
export interface ModulePermissions {
  module: string;
  label: string;
  actions: { id: string; action: Action }[];
}

/** A group of modules in the menu. */
export interface ModuleGroup {
  label: string;
  modules: ModulePermissions[];
}

/** `GET module-permissions`: all grants. */
export async function fetchModules(): Promise<ModulePermissions[]> {
  return (await fetchApi<{ data: ModulePermissions[] }>('/module-permissions')).data;
}

/** Comes last, and is collapsed at first. */
export const lastGroup = 'Reference data';

/** Groups modules as in the menu, in its order; those without a heading there are under "General", those without an entry under "Other". */
export function groupModules(modules: readonly ModulePermissions[], registry: Registry): ModuleGroup[] {
  const moduleEntries = modules.map((module) => ({ module, menu: registry.get(module.module)?.menu }));
  moduleEntries.sort((left, right) => (left.menu?.order ?? 999) - (right.menu?.order ?? 999));
  const groups = new Map<string, ModulePermissions[]>();
  for (const { module, menu } of moduleEntries) {
    const label = menu ? menu.group || 'General' : 'Other';
    groups.set(label, [...(groups.get(label) ?? []), module]);
  }
  return [...groups]
    .map(([label, groupedModules]) => ({ label, modules: groupedModules }))
    .sort((left, right) => Number(left.label === lastGroup) - Number(right.label === lastGroup));
}

/** An action's column in the tree. */
export function columnIndex(action: Action): number {
  return actions.indexOf(action);
}

/** `tasks.edit` → `tasks` and `edit`. */
export function parseGrant(id: string): { module: string; action: Action } {
  const dot = id.lastIndexOf('.');
  return { module: id.slice(0, dot), action: id.slice(dot + 1) as Action };
}
