import type { Field } from '../definitions/definition';
import { fieldTypeOf } from '.';
import { presentValue } from './former-values';

/**
 * Reads a JSON value by the type of its field; null for none. Former values of options mean the present ones. `undefined` for a value that only looks empty, such as an
 * empty list for a text field: the validation skips empty values, so it would reach the column.
 *
 * @example parseJsonValue(price, '12.50'); // 12.5
 */
export function parseJsonValue(field: Field, value: unknown): unknown {
  if (value === null || value === undefined) return null;
  const type = fieldTypeOf(field);
  const read = type.parse(presentValue(field, value), field) ?? null;
  if (Array.isArray(read) && !acceptsLists(field)) return undefined;
  // Only a text can be stored without a letter.
  return read === '' && type.column !== 'text' ? null : read;
}

function acceptsLists(field: Field): boolean {
  const { type } = fieldTypeOf(field).schema(field);
  return type === 'array' || field.type === 'json';
}
