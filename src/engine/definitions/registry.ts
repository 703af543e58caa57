import type { Definition, Field } from './definition';
import { fillDerivedTypes } from './derived-types';

/** A relation somewhere that points at a resource. */
export interface Reference {
  readonly definition: Definition;
  readonly field: Field;
}

/**
 * All definitions at one moment, frozen. A change creates a new registry; a request uses the same one until its end.
 */
export interface Registry {
  /** Grows with every change. */
  readonly version: number;
  readonly definitions: ReadonlyMap<string, Definition>;
  /** The definition of a name, such as a field's target; undefined if there is none. */
  get(name: string | undefined): Definition | undefined;
  /** The definition, which must exist. Throws if it does not. */
  getOrThrow(name: string): Definition;
  /** The relations of all resources that point at this one. */
  referencesTo(name: string): readonly Reference[];
}

/**
 * Builds the registry of definitions that passed the checks.
 *
 * @example createRegistry([normalise(source)]).getOrThrow('browsers').fields.name;
 */
export function createRegistry(definitions: Iterable<Definition>, version = 1): Registry {
  const map = fillDerivedTypes(new Map([...definitions].map((definition) => [definition.name, definition])));
  const references = new Map<string, Reference[]>();
  for (const definition of map.values()) {
    for (const field of Object.values(definition.fields)) {
      if (!field.to) continue;
      const known = references.get(field.to) ?? [];
      references.set(field.to, [...known, { definition, field }]);
    }
  }
  return Object.freeze({
    version,
    definitions: map,
    get: (name: string | undefined) => (name === undefined ? undefined : map.get(name)),
    getOrThrow: (name: string) => {
      const definition = map.get(name);
      if (!definition) throw new Error(`There is no definition named ${name}.`);
      return definition;
    },
    referencesTo: (name: string) => references.get(name) ?? [],
  });
}
