import { isVariable, type Predicate } from '../conditions/grammar';
import { predicateOf } from '../conditions/match-condition';
import type { Field } from '../definitions/definition';
import { templateFields } from '../definitions/labels';
import { computedKind } from '../conditions/computed-kind';
import { expressionOf, partsOf, type Expression } from './grammar';
import { firstOf } from '../values/lookups';

/** The fields of the record that a condition compares. */
export function conditionFields(predicate: Predicate): readonly string[] {
  switch (predicate.kind) {
    case 'all':
    case 'any':
      return predicate.of.flatMap(conditionFields);
    case 'not':
      return conditionFields(predicate.of);
    case 'some':
      return [predicate.field];
    case 'compare':
      return isVariable(predicate.left) ? [] : [predicate.left];
  }
}

/**
 * The fields of the record that an expression reads, those of its conditions included.
 *
 * @example expressionFields(expressionOf({ $add: ['$record.price', 1] })); // ['price']
 */
export function expressionFields(expression: Expression): readonly string[] {
  return [...partsOf(expression)].flatMap((part) => {
    if (part.kind === 'field') return [part.name];
    if (part.kind === 'if' && part.when.kind === 'condition') return conditionFields(predicateOf(part.when.condition));
    return [];
  });
}

/**
 * The fields of the same record that a field is computed from. Throws if it is not written correctly.
 *
 * @example sourceFields(total); // ['price', 'quantity']
 */
export function sourceFields(field: Field): readonly string[] {
  const { computed: computation } = field;
  switch (computedKind(field)) {
    case 'template':
      return templateFields(computation as string).map((path) => firstOf(path.split('.')));
    case 'condition':
      return conditionFields(predicateOf(computation as object as Readonly<Record<string, unknown>>));
    case 'expression':
      return expressionFields(expressionOf(computation as object));
    default:
      return [];
  }
}
