import { isVariable } from './grammar';
import type { Field } from '../definitions/definition';

const conditionKeys = new Set(['$and', '$or', '$nor', '$not']);

/** How a field with `computed` gets its value; `lookup` and `rollup` are written as types of their own. */
export type ComputedKind = 'condition' | 'template' | 'expression' | 'lookup' | 'rollup';

/**
 * How a field's value is computed; undefined if it is stored.
 *
 * @example computedKind({ computed: '{first_name} {last_name}' }); // 'template'
 */
export function computedKind({ computed: computation }: Pick<Field, 'computed'>): ComputedKind | undefined {
  if (computation === undefined) return undefined;
  if (typeof computation === 'string') return 'template';
  if ('$lookup' in computation) return 'lookup';
  if ('$rollup' in computation) return 'rollup';
  return isExpressionObject(computation) ? 'expression' : 'condition';
}

/**
 * Whether an object is an expression rather than a condition: all keys are operators that conditions do not know.
 *
 * @example isExpressionObject({ $add: ['$record.price', 1] }); // true
 */
export function isExpressionObject(value: object): boolean {
  const keys = Object.keys(value);
  return keys.length > 0 && keys.every((key) => key.startsWith('$') && !conditionKeys.has(key) && !isVariable(key));
}
