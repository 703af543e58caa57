import { decide } from '../../engine/access/decide';
import type { Definition } from '../../engine/definitions/definition';
import { useDefinitions } from '../admin/DefinitionsContext';

/** Whether the actor may add records, for whatever offers it. Companies themselves are added by level 1 alone. */
export function useMayAdd(definition: Definition): boolean {
  const { actor } = useDefinitions();
  if (definition.scope === 'self' && actor.level !== 1) return false;
  return decide(actor, definition, 'create').allowed;
}
