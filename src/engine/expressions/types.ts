import type { Field } from '../definitions/definition';
import { fieldTypeOf } from '../field-types';
import { isDate } from '../formats/dates';
import type { Expression } from './grammar';
import { operators, type ExpressionType, type Operator } from './operators';

/**
 * What a field's value is in expressions; undefined if it cannot be calculated with.
 *
 * @example expressionTypeOf(price); // 'number'
 */
export function expressionTypeOf(field: Field): ExpressionType | undefined {
  const { holds, hasMarkup, isHashed, isPrivate } = fieldTypeOf(field);
  if (field.secret || field.virtual || field.multiple || hasMarkup || isHashed || isPrivate) return undefined;
  switch (holds) {
    case 'number':
    case 'minutes':
      return 'number';
    case 'text':
      return field.options?.some(({ value }) => typeof value === 'number') ? 'number' : 'text';
    case 'day':
      return 'date';
    case 'instant':
      return 'instant';
    case 'boolean':
      return 'boolean';
    default:
      return undefined;
  }
}

/**
 * The type of an expression; undefined for null and for a field without a type.
 *
 * @example typeOf(expressionOf({ $add: ['$record.price', 1] }), () => 'number'); // 'number'
 */
export function typeOf(
  expression: Expression,
  typeOfField: (name: string) => ExpressionType | undefined,
): ExpressionType | undefined {
  switch (expression.kind) {
    case 'value': {
      const { value } = expression;
      return value === null ? undefined : typeof value === 'string' ? 'text' : (typeof value as 'number' | 'boolean');
    }
    case 'field':
      return typeOfField(expression.name);
    case 'today':
      return 'date';
    case 'if':
      return commonType([expression.then, expression.else], typeOfField);
    case 'call': {
      const { gives }: Operator = operators[expression.operator];
      return gives === 'same' ? commonType(expression.of, typeOfField) : gives;
    }
  }
}

/**
 * The type that several expressions have in common: that of a written value only if no other decides.
 *
 * @example commonType([whenTrue, whenFalse], typeOfField); // 'date'
 */
export function commonType(
  expressions: readonly Expression[],
  typeOfField: (name: string) => ExpressionType | undefined,
): ExpressionType | undefined {
  const known = expressions.map((one) => ({ one, type: typeOf(one, typeOfField) })).filter(({ type }) => type);
  return (known.find(({ one }) => one.kind !== 'value') ?? known[0])?.type;
}

/** Whether an expression of a type can stand where another one is wanted: a written day is a text and a date. */
export function fits(expression: Expression, type: ExpressionType | undefined, wanted: ExpressionType): boolean {
  if (type === undefined || type === wanted) return true;
  return wanted === 'date' && expression.kind === 'value' && isDate(String(expression.value));
}
