import type { Condition, Definition } from '../definitions/definition';
import type { Predicate } from './grammar';
import { predicateOf } from './match-condition';

/** A test on the records that a field refers to: what a path through a relation, or `$some`, becomes. */
export type RelatedTest = Extract<Predicate, { kind: 'some' }>;

/** The tests of a condition on the records that the record's own fields refer to. */
export function relatedTestsIn(predicate: Predicate): readonly RelatedTest[] {
  if (predicate.kind === 'some') return [predicate];
  if (predicate.kind === 'compare') return [];
  return predicate.kind === 'not' ? relatedTestsIn(predicate.of) : predicate.of.flatMap(relatedTestsIn);
}

const formTestsCache = new WeakMap<Definition, readonly RelatedTest[]>();

/** The tests on related records in conditions of a definition's fields: whether they are shown, required or read-only. */
export function formRelatedTests(definition: Definition): readonly RelatedTest[] {
  let tests = formTestsCache.get(definition);
  if (!tests) {
    const conditions = Object.values(definition.fields).flatMap(({ visible, requiredWhen, readOnlyWhen }) =>
      [visible, requiredWhen, readOnlyWhen].filter((one): one is Condition => one !== undefined),
    );
    tests = conditions.flatMap((condition) => relatedTestsIn(predicateOf(condition)));
    formTestsCache.set(definition, tests);
  }
  return tests;
}
