import type { Condition } from '../definitions/definition';
import { predicateOf } from './match-condition';
import { isVariable, type Predicate } from './grammar';

/**
 * The variables on either side of a condition's comparisons, such as `$today` or `$form.project_id`.
 *
 * @example [...variablesIn({ due: { $lt: '$today' } })]; // ['$today']
 */
export function variablesIn(condition: Condition): ReadonlySet<string> {
  const variables = new Set<string>();
  collect(predicateOf(condition), variables);
  return variables;
}

/**
 * The fields of the current record (`$form.name`, `$record.name`) that a condition depends on.
 *
 * @example recordFieldsIn({ project_id: '$form.project_id' }); // ['project_id']
 */
export function recordFieldsIn(condition: Condition): readonly string[] {
  const names = [...variablesIn(condition)].map((variable) => /^\$(?:form|record)\.(\w+)$/.exec(variable)?.[1]);
  return [...new Set(names.filter((name) => name !== undefined))];
}

/** The fields of the record that a condition depends on, by their own names or as `$form.name`. */
export function comparedFields(condition: Condition): readonly string[] {
  return [...new Set([...leftFields(predicateOf(condition)), ...recordFieldsIn(condition)])];
}

function leftFields(predicate: Predicate): readonly string[] {
  if (predicate.kind === 'all' || predicate.kind === 'any') return predicate.of.flatMap(leftFields);
  if (predicate.kind === 'not') return leftFields(predicate.of);
  if (predicate.kind === 'some') return [predicate.field];
  return isVariable(predicate.left) ? [] : [predicate.left];
}

function collect(predicate: Predicate, variables: Set<string>): void {
  if (predicate.kind === 'all' || predicate.kind === 'any') {
    for (const part of predicate.of) collect(part, variables);
  } else if (predicate.kind === 'not' || predicate.kind === 'some') {
    collect(predicate.of, variables);
  } else {
    const right = Array.isArray(predicate.right) ? predicate.right : [predicate.right];
    for (const side of [predicate.left, ...right]) if (isVariable(side)) variables.add(side);
  }
}
