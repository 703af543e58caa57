import type { Field, TotalFunction } from '../definitions/definition';
import { fieldTypeOf } from '../field-types';

/** The figures that a list can show for all values of a column together. */
export const totalFunctions: readonly TotalFunction[] = ['sum', 'avg', 'min', 'max', 'count'];

/**
 * Whether a list can show a total of a field: a number, an amount of money, or a duration.
 *
 * @example isTotalled(deals.fields.amount); // true
 */
export function isTotalled(field: Field): boolean {
  return fieldTypeOf(field).isSummable === true && !field.secret;
}
