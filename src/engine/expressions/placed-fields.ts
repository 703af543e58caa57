import type { Definition, Field } from '../definitions/definition';
import { rowDefinition } from '../field-types/row-definition';
import { isRelation } from '../field-types/relation';
import { isRows } from '../field-types/rows';
import { lookupPath, rollupOf } from './derivations';
import { propertyOf } from '../values/lookups';

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
    name !== undefined && Object.hasOwn(fields, name) ? [{ definition, field: propertyOf(fields, name) }] : [],
  );
}

/** The field at the end of a lookup's path; undefined if it leads nowhere. */
export function lookupTarget(
  { definition: source, field }: PlacedField,
  definitions: Definitions,
): PlacedField | undefined {
  const path = lookupPath(field);
  let definition: Definition | undefined = source;
  for (const name of path.slice(0, -1)) {
    const relation: Field | undefined = definition && placeFields(definition, [name])[0]?.field;
    definition = relation && isRelation(relation) ? definitions.get(relation.to) : undefined;
  }
  return definition && placeFields(definition, path.slice(-1))[0];
}

/**
 * The source of a rollup: the definition of the records that point here, or that of the rows of `definition`; undefined
 * if there is none.
 *
 * @example rollupSource(deals, total, registry.definitions)?.fields.amount; // the column that it sums
 */
export function rollupSource(definition: Definition, field: Field, definitions: Definitions): Definition | undefined {
  const { rows, resource } = rollupOf(field);
  if (rows === undefined) return definitions.get(resource);
  const rowsField = Object.hasOwn(definition.fields, rows) ? definition.fields[rows] : undefined;
  return rowsField && isRows(rowsField) ? rowDefinition(definition, rowsField) : undefined;
}
