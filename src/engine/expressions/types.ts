import type { Field } from '../definitions/definition';
import { fieldTypeOf } from '../field-types';
import { isDate } from '../formats/dates';
import type { Expression } from './grammar';
import { operators, type ExpressionType, type Operator } from './operators';

/**
 * The type of a field's value in expressions; undefined if it cannot be calculated with.
 *
 * @example expressionTypeOf(price); // 'number'
 */
export function expressionTypeOf(field: Field): ExpressionType | undefined {
  const { holds: valueKind, hasMarkup, isHashed, isPrivate } = fieldTypeOf(field);
  if (field.secret || field.virtual || field.multiple || hasMarkup || isHashed || isPrivate) return undefined;
  switch (valueKind) {
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
      const { gives: resultType }: Operator = operators[expression.operator];
      return resultType === 'same' ? commonType(expression.of, typeOfField) : resultType;
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
  const typedExpressions = expressions
    .map((candidate) => ({ one: candidate, type: typeOf(candidate, typeOfField) }))
    .filter(({ type }) => type);
  return (typedExpressions.find(({ one: candidate }) => candidate.kind !== 'value') ?? typedExpressions[0])?.type;
}

/** Whether an expression of a type can stand where another one is wanted: a written day is a text and a date. */
export function isOfType(
  expression: Expression,
  type: ExpressionType | undefined,
  expectedType: ExpressionType,
): boolean {
  if (type === undefined || type === expectedType) return true;
  return expectedType === 'date' && expression.kind === 'value' && isDate(String(expression.value));
}
