import type { Comparison, Predicate } from '../../../engine/conditions/grammar';
import type { Field } from '../../../engine/definitions/definition';
import { timeOfDay } from '../../../engine/field-types/time';
import { allOf } from '../../access/access-filter';

/**
 * Compares a time of day that belongs to a date field with a time and its date, as in responses (`2026-11-16 14:30`):
 * the date is compared first. Undefined for any other value, such as a time without a date.
 */
export function timedFilter(field: Field, operator: Comparison, value: unknown): Predicate | undefined {
  const { on, name } = field;
  if (on === undefined || typeof value !== 'string') return undefined;
  const time = timeOfDay(value.trim(), field);
  if (time === value.trim()) return undefined;
  const day = value.trim().slice(0, 10);
  const compare = (left: string, by: Comparison, right: string): Predicate => ({
    kind: 'compare',
    left,
    operator: by,
    right,
  });
  const within = (by: Comparison) => allOf([compare(on, '$eq', day), compare(name, by, time)]);
  if (operator === '$eq') return within('$eq');
  if (operator === '$ne') return { kind: 'not', of: within('$eq') };
  const outside = operator === '$gt' || operator === '$gte' ? '$gt' : '$lt';
  return { kind: 'any', of: [compare(on, outside, day), within(operator)] };
}
