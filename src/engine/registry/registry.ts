import type { Definition } from '../definitions/definition';
import { fillDerivedTypes } from './derived-types';
import { indexDefinitions, type Registry } from './index-definitions';
import { addPathFields } from './path-fields';

export type { Reference, Registry, RowReference } from './index-definitions';

/**
 * Builds the registry of definitions that passed the checks.
 *
 * @example createRegistry([normalise(source)]).getOrThrow('browsers').fields.name;
 */
export function createRegistry(definitions: Iterable<Definition>, version = 1): Registry {
  const definitionsByName = new Map([...definitions].map((definition) => [definition.name, definition]));
  return indexDefinitions(fillDerivedTypes(addPathFields(definitionsByName)).values(), version);
}
