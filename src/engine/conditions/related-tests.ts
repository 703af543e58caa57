import type { Condition, Definition } from '../definitions/definition';
import type { Predicate } from './grammar';
import { predicateOf } from './match-condition';

/** A test on the records that a field refers to: what a path through a relation, or `$some`, becomes. */
export type RelatedTest = Extract<Predicate, { kind: 'some' }>;

/**
 * The tests of a condition on the records that the record's own fields refer to.
 *
 * @example relatedTestsIn(predicateOf({ 'stage_id.is_lost': true })).length; // 1
 */
export function relatedTestsIn(predicate: Predicate): readonly RelatedTest[] {
  if (predicate.kind === 'some') return [predicate];
  if (predicate.kind === 'compare') return [];
  return predicate.kind === 'not' ? relatedTestsIn(predicate.of) : predicate.of.flatMap(relatedTestsIn);
}

const formTestsCache = new WeakMap<Definition, readonly RelatedTest[]>();

/**
 * The tests on related records by which a definition shows, requires, locks and validates fields.
 *
 * @example formRelatedTests(deals); // what a form loads of the chosen stage
 */
export function formRelatedTests(definition: Definition): readonly RelatedTest[] {
  let tests = formTestsCache.get(definition);
  if (!tests) {
    const conditions: readonly (Condition | undefined)[] = [
      ...Object.values(definition.fields).flatMap((field) => [field.visible, field.requiredWhen, field.readOnlyWhen]),
      ...definition.validate.flatMap(({ must, when }) => [must, when]),
    ];
    tests = conditions.flatMap((condition) => (condition ? relatedTestsIn(predicateOf(condition)) : []));
    formTestsCache.set(definition, tests);
  }
  return tests;
}
