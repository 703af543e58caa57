import { Level } from '../../engine/definitions/level';
import { decideAccess } from '../../engine/access/access-decision';
import type { Actor } from '../../engine/access/actor';
import type { Definition } from '../../engine/definitions/definition';
import { useDefinitions } from '../data/DefinitionsContext';

/**
 * Whether somebody may add records. Only level 1 may add companies, and nobody what the program alone writes.
 *
 * @example mayAdd(actor, definition)
 */
export function mayAdd(actor: Actor, definition: Definition): boolean {
  if (definition.scope === 'self' && actor.level !== Level.Installation) return false;
  if (!Object.values(definition.fields).some(({ readOnly, system }) => !readOnly && !system)) return false;
  return decideAccess(actor, definition, 'create').allowed;
}

/**
 * Whether the user may add records.
 *
 * @example useMayAdd(definition) && <AddButton />
 */
export function useMayAdd(definition: Definition): boolean {
  return mayAdd(useDefinitions().actor, definition);
}
