import { decideAccess } from '../../engine/access/access-decision';
import type { Definition } from '../../engine/definitions/definition';
import { useDefinitions } from '../admin/DefinitionsContext';

/**
 * Whether the user may add records. Only level 1 may add companies, and nobody what the program alone writes.
 *
 * @example useMayAdd(definition) && <AddButton />
 */
export function useMayAdd(definition: Definition): boolean {
  const { actor } = useDefinitions();
  if (definition.scope === 'self' && actor.level !== 1) return false;
  if (!Object.values(definition.fields).some(({ readOnly, system }) => !readOnly && !system)) return false;
  return decideAccess(actor, definition, 'create').allowed;
}
