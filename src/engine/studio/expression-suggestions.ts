import { operators, type ArgumentType, type Operator } from '../expressions/operators';
import { expressionTypeOf } from '../expressions/types';
import type { Definition } from '../definitions/definition';
import { computedKind } from '../expressions/computed-kind';

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
 * What an operator takes and gives.
 *
 * @example signatureOf('$round'); // '(number, [decimals]) → number'
 */
export function signatureOf(name: keyof typeof operators): string {
  const { takes, repeats, optional = 0, gives }: Operator = operators[name];
  const words = takes.map((one, index) =>
    index >= takes.length - optional ? `[${argumentWords[one]}]` : argumentWords[one],
  );
  return `(${[...words, ...(repeats ? ['…'] : [])].join(', ')}) → ${argumentWords[gives]}`;
}

/**
 * Everything that the expression of a field can be made of: the fields of its record that can be calculated with,
 * lookups included, today, and all functions. The field itself is none of them.
 *
 * @example expressionSuggestions(definition, 'total').map(({ name }) => name); // ['$record.price', …, '$add', …]
 */
export function expressionSuggestions(definition: Definition, own: string): ExpressionSuggestion[] {
  const fields = Object.values(definition.fields).flatMap((field): ExpressionSuggestion[] => {
    const type = field.name === own ? undefined : expressionTypeOf(field);
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
