import type { Condition, Field } from '../definitions/definition';
import { isRelation } from '../field-types/relation';

/**
 * The condition by which the default of a relation is looked up among the records of its target (`$lookup`); undefined if
 * its default is none, or a value.
 *
 * @example defaultLookup(requests.fields.employee_id); // { user_id: '$actor.id' }
 */
export function defaultLookup(field: Field): Condition | undefined {
  return isRelation(field) ? (field.default as { $lookup?: Condition } | null | undefined)?.$lookup : undefined;
}
