import { operators, type ArgumentType, type Operator } from '../expressions/operators';
import { expressionTypeOf } from '../expressions/types';
import type { Definition } from '../definitions/definition';
import { computedKind } from '../conditions/computed-kind';

/** Something that can be written in an expression: a function, a field of the record, or today. */
export interface ExpressionSuggestion {
  readonly kind: 'function' | 'field' | 'variable';
  /** `$add`, `$record.price`, `$today`. */
  readonly name: string;
  /** Of a function what it takes and gives; of others their label and type. */
  readonly detail: string;
}

const argumentWords: Readonly<Record<ArgumentType, string>> = {
  number: 'number',
  text: 'text',
  date: 'date',
  instant: 'date-time',
  boolean: 'yes or no',
  any: 'value',
  same: 'value',
  ordered: 'value',
  digits: 'decimals',
  calendar: 'calendar',
};

/**
 * The types of an operator's arguments and result.
 *
 * @example signatureOf('$round'); // '(number, [decimals]) → number'
 */
export function signatureOf(name: keyof typeof operators): string {
  const { takes: parameterTypes, repeats: isRepeated, optional = 0, gives: resultType }: Operator = operators[name];
  const words = parameterTypes.map((parameterType, index) =>
    index >= parameterTypes.length - optional ? `[${argumentWords[parameterType]}]` : argumentWords[parameterType],
  );
  return `(${[...words, ...(isRepeated ? ['…'] : [])].join(', ')}) → ${argumentWords[resultType]}`;
}

/**
 * Everything that the expression of a field can be made of: the fields of its record that can be calculated with,
 * lookups included, today, and all functions. The field itself is none of them.
 *
 * @example expressionSuggestions(definition, 'total').map(({ name }) => name); // ['$record.price', …, '$add', …]
 */
export function expressionSuggestions(definition: Definition, fieldName: string): ExpressionSuggestion[] {
  const fields = Object.values(definition.fields).flatMap((field): ExpressionSuggestion[] => {
    const type = field.name === fieldName ? undefined : expressionTypeOf(field);
    if (type === undefined) return [];
    const kind = computedKind(field) === 'lookup' ? `${argumentWords[type]}, looked up` : argumentWords[type];
    return [{ kind: 'field', name: `$record.${field.name}`, detail: `${field.label}: ${kind}` }];
  });
  const functions = (Object.keys(operators) as (keyof typeof operators)[]).map((name): ExpressionSuggestion => ({
    kind: 'function',
    name,
    detail: signatureOf(name),
  }));
  return [
    ...fields,
    { kind: 'variable', name: '$today', detail: 'The day of whoever reads it: date' },
    ...functions,
    { kind: 'function', name: '$if', detail: '{when, then, else} → value' },
    { kind: 'function', name: '$literal', detail: '(text) → text' },
  ];
}
