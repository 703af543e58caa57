import { unwrapId } from '../conditions/variables';
import type { Field } from '../definitions/definition';
import { isEmpty } from '../values/is-empty';
import { fieldTypeOf } from '../field-types';
import { isRelations } from '../field-types/relations';

/**
 * Converts a value of one field to another field, for example after its type changed: unchanged if both have the same
 * kind, otherwise parsed from its text; null if that fails.
 *
 * @example convertValue('12', text, number); // 12
 */
export function convertValue(value: unknown, source: Field, target: Field): unknown {
  if (isEmpty(value)) return null;
  if (source.to !== target.to) return null;
  if (source.to !== undefined) return relatedValue(value, target);
  if (source.type === target.type && source.integer === target.integer && source.options === undefined) return value;
  if (Array.isArray(value)) return convertMembers(value, target);
  if (typeof value === 'object') return null;
  const read = fieldTypeOf(target).fromText(textOf(value, source, target), target);
  return read === undefined ? null : read;
}

/** Those of several values that the new field offers; the only one, if it takes one. */
function convertMembers(values: readonly unknown[], target: Field): unknown {
  const keptValues = values.filter((member) => target.options?.some((option) => option.value === member));
  if (target.multiple) return keptValues.length > 0 ? keptValues : null;
  return keptValues.length === 1 ? keptValues[0] : null;
}

function relatedValue(value: unknown, target: Field): unknown {
  const isMany = isRelations(target);
  if (Array.isArray(value)) return isMany ? value : (value[0] ?? null);
  return isMany ? [unwrapId(value)] : value;
}

function textOf(value: unknown, source: Field, target: Field): string {
  const { holds: valueKind, toPlainText = String } = fieldTypeOf(source);
  const text = toPlainText(value);
  return fieldTypeOf(target).holds === 'day' && valueKind === 'instant' ? text.slice(0, 10) : text;
}
