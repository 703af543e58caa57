import { decide } from '../../engine/access/decide';
import type { Definition } from '../../engine/definitions/definition';
import { useDefinitions } from '../admin/DefinitionsContext';

/** Whether the user may add records. Only level 1 may add companies. */
export function useMayAdd(definition: Definition): boolean {
  const { actor } = useDefinitions();
  if (definition.scope === 'self' && actor.level !== 1) return false;
  return decide(actor, definition, 'create').allowed;
}
