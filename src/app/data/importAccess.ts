import { isGranted } from '../../engine/access/access-decision';
import { importOf } from '../../engine/definitions/accessors';
import type { Definition } from '../../engine/definitions/definition';
import type { Definitions } from './DefinitionsContext';

/** The API path, and the first part of every query key of imports: the server's events about it invalidate them. */
export const importsKey = 'imports';

/** The definitions whose records the actor may import, or whose imports they may see, in the order of their tabs. */
export function importableDefinitions({ registry, actor }: Pick<Definitions, 'registry' | 'actor'>): Definition[] {
  return [...registry.definitions.values()]
    .filter(
      (candidate) =>
        candidate.import && (isGranted(actor, candidate.name, 'list') || isGranted(actor, candidate.name, 'create')),
    )
    .sort((first, second) => importOf(first).order - importOf(second).order);
}

/** Whether the actor may open the screen. */
export function canOpenImports(definitions: Definitions): boolean {
  const { actor } = definitions;
  const mayImport = isGranted(actor, importsKey, 'list') || isGranted(actor, importsKey, 'create');
  return mayImport && importableDefinitions(definitions).length > 0;
}

/** Where files are imported to a module; undefined: the actor may not, or no file can be. */
export function importPath({ name, import: importing }: Definition, actor: Definitions['actor']): string | undefined {
  const mayImport = importing !== null && isGranted(actor, name, 'create') && isGranted(actor, importsKey, 'create');
  return mayImport ? `/${importsKey}?type=${name}` : undefined;
}
