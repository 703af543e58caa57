import type { Field } from '../definitions/definition';

/**
 * A value, or a list of values, in which the former values of options (`formerValue`) are replaced by the present ones. A value of a
 * field without options, and what is no former value, stays as it is.
 *
 * @example presentValue(state, ['in_work', 'done']); // ['working', 'done'] where "working" was "in_work"
 */
export function presentValue({ options = [] }: Field, value: unknown): unknown {
  const present = (one: unknown) =>
    one === undefined ? one : (options.find(({ formerValue }) => formerValue === one)?.value ?? one);
  if (!Array.isArray(value)) return present(value);
  return value.every((one) => present(one) === one) ? value : [...new Set(value.map(present))];
}
