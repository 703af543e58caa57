import { groupModules, type ModulePermissions } from '../../src/app/fields/permissions/modules';
import type { Definition } from '../../src/engine/definitions/definition';
import type { Registry } from '../../src/engine/definitions/registry';

/** A row of the matrix. */
export interface Module {
  readonly name: string;
  readonly label: string;
  readonly icon: string;
  /** Undefined if the browser has not got the definition; its rules are unknown then. */
  readonly definition?: Definition;
}

/** The definitions themselves: they cannot be granted, only level 1 has them. */
export const studio: Module = { name: 'modules', label: 'Modules', icon: 'sliders' };
/** The studio comes after the modules of this group. */
const studioGroup = 'Workspace';
/** Icons of modules that are in no menu. */
const icons: Readonly<Record<string, string>> = {
  imports: 'upload',
  'task-comments': 'message',
  'test-case-comments': 'message',
};
const plainIcon = 'table';

/** The rows of the matrix, in the groups and the order of the menu. */
export function modulesOf(permissions: readonly ModulePermissions[], registry: Registry): Module[] {
  return groupModules(permissions, registry).flatMap(({ label, modules }) => {
    const lines = modules.map(({ module, label: name }): Module => {
      const definition = registry.get(module);
      return { name: module, label: name, icon: definition?.menu?.icon ?? icons[module] ?? plainIcon, definition };
    });
    return label === studioGroup ? [...lines, studio] : lines;
  });
}

/** The modules whose labels contain the text. */
export function found(modules: readonly Module[], text: string): Module[] {
  const wanted = text.trim().toLowerCase();
  return modules.filter(({ label }) => label.toLowerCase().includes(wanted));
}
