import { groupModules, type ModulePermissions } from '../../fields/permissions/modulePermissions';
import type { Definition } from '../../../engine/definitions/definition';
import type { Registry } from '../../../engine/registry/registry';

/** A row of the matrix. */
export interface MatrixModule {
  readonly name: string;
  readonly label: string;
  readonly icon: string;
  /** Undefined if the browser has not got the definition; its rules are unknown then. */
  readonly definition?: Definition;
}

/** The definitions themselves: they cannot be granted, only level 1 has them. */
export const studioModule: MatrixModule = { name: 'modules', label: 'Modules', icon: 'sliders' };
/** The studio comes after the modules of this group. */
const studioGroup = 'Workspace';
/** Icons of modules that are neither in the menu nor added by a request. */
const icons: Readonly<Record<string, string>> = { imports: 'upload' };
const defaultIcon = 'table';

/** The rows of the matrix, in the groups and the order of the menu. */
export function matrixModules(permissions: readonly ModulePermissions[], registry: Registry): MatrixModule[] {
  return groupModules(permissions, registry).flatMap(({ label, modules }) => {
    const lines = modules.map(({ module, label: name }): MatrixModule => {
      const definition = registry.get(module);
      const icon = definition?.menu?.icon ?? requestIcon(module, registry) ?? icons[module] ?? defaultIcon;
      return { name: module, label: name, icon, definition };
    });
    return label === studioGroup ? [...lines, studioModule] : lines;
  });
}

/** The icon of the request that adds records of a module, such as comments. */
function requestIcon(module: string, registry: Registry): string | undefined {
  const requests = [...registry.definitions.values()].flatMap((definition) => Object.values(definition.requests));
  return requests.find(({ adds: addedRecord }) => addedRecord?.resource === module)?.icon;
}

/** The modules whose labels contain the text. */
export function filterModules(modules: readonly MatrixModule[], text: string): MatrixModule[] {
  const searchText = text.trim().toLowerCase();
  return modules.filter(({ label }) => label.toLowerCase().includes(searchText));
}
