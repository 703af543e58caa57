import { groupModules, type ModulePermissions } from '../../src/app/fields/permissions/modules';
import type { Definition } from '../../src/engine/definitions/definition';
import type { Registry } from '../../src/engine/definitions/registry';

/** A line of the matrix. */
export interface Module {
  readonly name: string;
  readonly label: string;
  readonly icon: string;
  /** Undefined where no screen of the user needs it; its rules are not known then. */
  readonly definition?: Definition;
}

/** The definitions themselves: nobody is granted them, level 1 holds them. */
export const studio: Module = { name: 'modules', label: 'Modules', icon: 'sliders' };
/** After the modules of this group stands the studio. */
const studioGroup = 'Workspace';
/** Of modules that stand in no menu. */
const icons: Readonly<Record<string, string>> = {
  imports: 'upload',
  'task-comments': 'message',
  'test-case-comments': 'message',
};
const plainIcon = 'table';

/** The lines of the matrix, in the groups and the order of the menu. */
export function modulesOf(permissions: readonly ModulePermissions[], registry: Registry): Module[] {
  return groupModules(permissions, registry).flatMap(({ label, modules }) => {
    const lines = modules.map(({ module, label: name }): Module => {
      const definition = registry.get(module);
      return { name: module, label: name, icon: definition?.menu?.icon ?? icons[module] ?? plainIcon, definition };
    });
    return label === studioGroup ? [...lines, studio] : lines;
  });
}

/** Those whose names hold what is typed. */
export function found(modules: readonly Module[], text: string): Module[] {
  const wanted = text.trim().toLowerCase();
  return modules.filter(({ label }) => label.toLowerCase().includes(wanted));
}
