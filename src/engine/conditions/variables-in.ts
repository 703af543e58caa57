import type { Condition } from '../definitions/definition';
import { predicateOf } from './match-condition';
import { isVariable, type Predicate } from './grammar';

/** The variables on either side of a condition's comparisons, such as `$today` or `$form.project_id`. */
export function variablesIn(condition: Condition): ReadonlySet<string> {
  const found = new Set<string>();
  collect(predicateOf(condition), found);
  return found;
}

/** The fields of the current record (`$form.name`, `$record.name`) that a condition depends on. */
export function recordFieldsIn(condition: Condition): readonly string[] {
  const names = [...variablesIn(condition)].map((variable) => /^\$(?:form|record)\.(\w+)$/.exec(variable)?.[1]);
  return [...new Set(names.filter((name) => name !== undefined))];
}

function collect(predicate: Predicate, found: Set<string>): void {
  if (predicate.kind === 'all' || predicate.kind === 'any') {
    for (const one of predicate.of) collect(one, found);
  } else if (predicate.kind === 'not' || predicate.kind === 'some') {
    collect(predicate.of, found);
  } else {
    const right = Array.isArray(predicate.right) ? predicate.right : [predicate.right];
    for (const side of [predicate.left, ...right]) if (isVariable(side)) found.add(side);
  }
}
