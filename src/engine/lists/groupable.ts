import type { Field } from '../definitions/field';
import { fieldTypeOf } from '../field-types';

const withoutGroups: readonly string[] = ['records', 'referrers', 'rows', 'object'];

/**
 * Whether records can be grouped by a field: each has one value of it, which filters can use.
 *
 * @example isGroupable(films.fields.stage_id!); // true
 */
export function isGroupable(field: Field): boolean {
  const { holds: valueKind, hasMarkup } = fieldTypeOf(field);
  return field.filterable && !hasMarkup && field.dateField === undefined && !withoutGroups.includes(valueKind);
}

/**
 * Whether the values of a field are grouped by periods: days and instants.
 *
 * @example hasPeriods({ type: 'date' }); // true
 */
export function hasPeriods(field: Pick<Field, 'type'>): boolean {
  const { holds: valueKind } = fieldTypeOf(field);
  return valueKind === 'day' || valueKind === 'instant';
}
