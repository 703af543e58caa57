import { idOf } from '../conditions/variables';
import type { Field } from '../definitions/definition';
import { isEmpty } from '../validation/is-empty';
import { fieldTypeOf } from '../field-types';
import { isRelations } from '../field-types/relations';

/**
 * Converts a value of one field to another field, for example after its type changed: unchanged if both have the same
 * kind, otherwise parsed from its text; null if that fails.
 *
 * @example convertValue('12', text, number); // 12
 */
export function convertValue(value: unknown, from: Field, to: Field): unknown {
  if (isEmpty(value)) return null;
  if (from.to !== to.to) return null;
  if (from.to !== undefined) return relatedValue(value, to);
  if (from.type === to.type && from.integer === to.integer && from.options === undefined) return value;
  if (Array.isArray(value)) return convertMembers(value, to);
  if (typeof value === 'object') return null;
  const read = fieldTypeOf(to).fromText(textOf(value, from, to), to);
  return read === undefined ? null : read;
}

/** Those of several values that the new field offers; the only one, if it takes one. */
function convertMembers(values: readonly unknown[], to: Field): unknown {
  const kept = values.filter((one) => to.options?.some((option) => option.value === one));
  if (to.multiple) return kept.length > 0 ? kept : null;
  return kept.length === 1 ? kept[0] : null;
}

function relatedValue(value: unknown, to: Field): unknown {
  const many = isRelations(to);
  if (Array.isArray(value)) return many ? value : (value[0] ?? null);
  return many ? [idOf(value)] : value;
}

function textOf(value: unknown, from: Field, to: Field): string {
  const { holds, toPlainText = String } = fieldTypeOf(from);
  const text = toPlainText(value);
  return fieldTypeOf(to).holds === 'day' && holds === 'instant' ? text.slice(0, 10) : text;
}
