import { isGranted } from '../../src/engine/access/decide';
import type { Definition } from '../../src/engine/definitions/definition';
import type { Definitions } from '../../src/app/admin/DefinitionsContext';
import { room } from './calls';

/** The definitions whose records the actor may import, or whose imports they may see, in the order of their tabs. */
export function importedTypes({ registry, actor }: Pick<Definitions, 'registry' | 'actor'>): Definition[] {
  return [...registry.definitions.values()]
    .filter((one) => one.import && (isGranted(actor, one.name, 'list') || isGranted(actor, one.name, 'create')))
    .sort((one, other) => one.import!.order - other.import!.order);
}

/** Whether the actor may open the screen. */
export function mayOpen(definitions: Definitions): boolean {
  const { actor } = definitions;
  const granted = isGranted(actor, room, 'list') || isGranted(actor, room, 'create');
  return granted && importedTypes(definitions).length > 0;
}
