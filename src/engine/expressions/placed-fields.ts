import type { Definition, Field } from '../definitions/definition';
import { isRelation } from '../field-types/relation';
import { lookupPath } from './derivations';

export type Definitions = ReadonlyMap<string, Definition>;

/** A field of a definition, and that definition. */
export interface PlacedField {
  readonly definition: Definition;
  readonly field: Field;
}

/** The fields of a definition that have these names. */
export function placeFields(definition: Definition, names: readonly (string | undefined)[]): readonly PlacedField[] {
  const { fields } = definition;
  return names.flatMap((name) =>
    name !== undefined && Object.hasOwn(fields, name) ? [{ definition, field: fields[name]! }] : [],
  );
}

/** The field at the end of a lookup's path; undefined if it leads nowhere. */
export function lookupTarget(
  { definition: from, field }: PlacedField,
  definitions: Definitions,
): PlacedField | undefined {
  const path = lookupPath(field);
  let definition: Definition | undefined = from;
  for (const name of path.slice(0, -1)) {
    const relation: Field | undefined = definition && placeFields(definition, [name])[0]?.field;
    definition = relation && isRelation(relation) ? definitions.get(relation.to) : undefined;
  }
  return definition && placeFields(definition, path.slice(-1))[0];
}
