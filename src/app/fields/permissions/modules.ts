import { actions, type Action } from '../../../engine/definitions/definition';
import type { Registry } from '../../../engine/definitions/registry';
import { fetchApi } from '../../session/api';

/** A module and the grants that it has. */
export interface ModulePermissions {
  module: string;
  label: string;
  actions: { id: string; action: Action }[];
}

/** Modules that stand together in the menu. */
export interface ModuleGroup {
  label: string;
  modules: ModulePermissions[];
}

/** `GET module-permissions`: every grant there is. */
export async function fetchModules(): Promise<ModulePermissions[]> {
  return (await fetchApi<{ data: ModulePermissions[] }>('/module-permissions')).data;
}

/** Stands last, and shut until somebody opens it. */
export const lastGroup = 'Reference data';

/** The modules in the groups and order of the menu; those without a place in it under "Other". */
export function groupModules(modules: readonly ModulePermissions[], registry: Registry): ModuleGroup[] {
  const placed = modules.map((module) => ({ module, menu: registry.get(module.module)?.menu }));
  placed.sort((one, other) => (one.menu?.order ?? 999) - (other.menu?.order ?? 999));
  const groups = new Map<string, ModulePermissions[]>();
  for (const { module, menu } of placed) {
    const label = menu?.group || 'Other';
    groups.set(label, [...(groups.get(label) ?? []), module]);
  }
  return [...groups]
    .map(([label, own]) => ({ label, modules: own }))
    .sort((one, other) => Number(one.label === lastGroup) - Number(other.label === lastGroup));
}

/** An action's column in the tree. */
export function columnOf(action: Action): number {
  return actions.indexOf(action);
}

/** `tasks.edit` → `tasks` and `edit`. */
export function partsOf(id: string): { module: string; action: Action } {
  const dot = id.lastIndexOf('.');
  return { module: id.slice(0, dot), action: id.slice(dot + 1) as Action };
}
