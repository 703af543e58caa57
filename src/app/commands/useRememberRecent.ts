import { useEffect } from 'react';
import type { Definition } from '../../engine/definitions/definition';
import { useDefinitions } from '../data/DefinitionsContext';
import { rememberRecent } from './recent';

/**
 * Remembers that the user has opened a record, so that it is found again. Without an id there is none yet.
 *
 * @example useRememberRecent(definition, 7);
 */
export function useRememberRecent({ name }: Definition, id: number | undefined): void {
  const { actor } = useDefinitions();
  useEffect(() => {
    // Records seen while viewing as another user are not theirs to find again.
    if (id !== undefined && !actor.viewer) rememberRecent(actor.id, name, id);
  }, [actor, id, name]);
}
