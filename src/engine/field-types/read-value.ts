import type { Field } from '../definitions/definition';
import { typeOf } from '.';

/**
 * A value as JSON carries it, by the type of its field; null for none. `undefined` where it is of a kind that only looks
 * like none: the rules of values leave what is empty alone, so that an empty list would reach the column.
 */
export function readValue(field: Field, value: unknown): unknown {
  if (value === null || value === undefined) return null;
  const type = typeOf(field);
  const read = type.parse(value, field) ?? null;
  if (Array.isArray(read) && !takesLists(field)) return undefined;
  // Only a text can be stored without a letter.
  return read === '' && type.column !== 'text' ? null : read;
}

function takesLists(field: Field): boolean {
  const { type } = typeOf(field).schema(field);
  return type === 'array' || field.type === 'json';
}
