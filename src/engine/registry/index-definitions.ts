import { MissingValueError } from '../values/lookups';
import { isRows } from '../field-types/rows';
import type { Definition, Field, FieldOf } from '../definitions/definition';

/** A relation somewhere that points at a resource. */
export interface Reference {
  readonly definition: Definition;
  readonly field: Field;
}

/** A column of rows somewhere that points at a resource. */
export interface RowReference {
  readonly definition: Definition;
  readonly field: FieldOf<'rows'>;
  readonly column: Field;
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
  /** The definition of a name, such as the target of a relation. Throws if there is none. */
  getOrThrow(name: string | undefined): Definition;
  /** The relations of all resources that point at this one. */
  referencesTo(name: string): readonly Reference[];
  /** The columns of rows of all resources that point at this one. */
  rowReferencesTo(name: string): readonly RowReference[];
}

/**
 * The registry of definitions that are complete, as the server sends them: with the types of lookups and the fields of paths.
 *
 * @example indexDefinitions(data, 2).getOrThrow('browsers').fields.name;
 */
export function indexDefinitions(definitions: Iterable<Definition>, version = 1): Registry {
  const map = new Map([...definitions].map((definition) => [definition.name, definition]));
  const references = new Map<string, Reference[]>();
  const inRows = new Map<string, RowReference[]>();
  for (const definition of map.values()) {
    for (const field of Object.values(definition.fields)) {
      if (isRows(field))
        for (const column of Object.values(field.columns))
          if (column.to) inRows.set(column.to, [...(inRows.get(column.to) ?? []), { definition, field, column }]);
      if (!field.to) continue;
      const knownReferences = references.get(field.to) ?? [];
      references.set(field.to, [...knownReferences, { definition, field }]);
    }
  }
  return Object.freeze({
    version,
    definitions: map,
    get: (name: string | undefined) => (name === undefined ? undefined : map.get(name)),
    getOrThrow: (name: string | undefined) => {
      const definition = name === undefined ? undefined : map.get(name);
      if (!definition)
        throw new MissingValueError(name ? `There is no definition named ${name}.` : 'No definition is named.');
      return definition;
    },
    referencesTo: (name: string) => references.get(name) ?? [],
    rowReferencesTo: (name: string) => inRows.get(name) ?? [],
  });
}
