import type { Field } from '../definitions/definition';

/**
 * A value, or a list of values, in which the former values of options (`formerValue`) are replaced by the present ones. A value of a
 * field without options, and what is no former value, stays as it is.
 *
 * @example presentValue(state, ['in_work', 'done']); // ['working', 'done'] where "working" was "in_work"
 */
export function presentValue({ options = [] }: Field, value: unknown): unknown {
  const toPresent = (storedValue: unknown) =>
    storedValue === undefined
      ? storedValue
      : (options.find(({ formerValue }) => formerValue === storedValue)?.value ?? storedValue);
  if (!Array.isArray(value)) return toPresent(value);
  return value.every((member) => toPresent(member) === member) ? value : [...new Set(value.map(toPresent))];
}
