import type { Definition, Field } from '../definitions/definition';
import type { Registry } from '../registry/registry';
import { rowDefinition } from '../field-types/row-definition';
import { isInverse, shownResource } from '../field-types/inverse';
import { isAnyRelation } from '../field-types/relation';
import { isRows } from '../field-types/rows';
import { propertyOf } from '../values/lookups';

/** The meaning of a name in a template: a value, or records with values of their own. */
export interface NamedPart {
  readonly field: Field;
  /** The definition of the rows, or of the related records. */
  readonly records?: Definition;
}

/**
 * The meaning of one name among the fields of a definition: a field, rows, records that refer here, or an embed.
 * Undefined for any other name.
 *
 * @example resolveTemplateName(deals, 'lines', registry)?.records?.fields.product; // the column of the rows
 */
export function resolveTemplateName(definition: Definition, name: string, registry: Registry): NamedPart | undefined {
  const { fields } = definition;
  const field = Object.hasOwn(fields, name)
    ? propertyOf(fields, name)
    : Object.values(fields).find(({ embed }) => embed !== undefined && embed === name);
  if (!field) return undefined;
  if (isRows(field)) return { field, records: rowDefinition(definition, field) };
  if (isInverse(field)) {
    const target = shownResource(field, registry.get(field.inverse.resource));
    return { field, records: registry.get(target) };
  }
  return isAnyRelation(field) && field.embed === name ? { field, records: registry.get(field.to) } : { field };
}
