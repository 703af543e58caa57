import type { Condition, Definition } from '../definitions/definition';
import type { Predicate } from './grammar';
import { predicateOf } from './match-condition';
import { comparedFields } from './variables-in';

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

/** The values that the conditions of a form read. */
interface FormReads {
  readonly tests: readonly RelatedTest[];
  readonly fields: ReadonlySet<string>;
}

const formReadsCache = new WeakMap<Definition, FormReads>();

/** The values that the conditions read by which a definition shows, requires, locks and validates fields, and changes their states. */
function formReads(definition: Definition): FormReads {
  let cachedReads = formReadsCache.get(definition);
  if (!cachedReads) {
    const fields = Object.values(definition.fields);
    const writtenConditions: readonly (Condition | undefined)[] = [
      ...fields.flatMap((field) => [field.visible, field.requiredWhen, field.readOnlyWhen]),
      ...fields.flatMap(({ transitions = [] }) => transitions.map(({ where: condition }) => condition)),
      ...definition.validate.flatMap(({ condition, where: scopeCondition }) => [condition, scopeCondition]),
    ];
    const conditions = writtenConditions.filter((condition) => condition !== undefined);
    cachedReads = {
      tests: conditions.flatMap((condition) => relatedTestsIn(predicateOf(condition))),
      fields: new Set(conditions.flatMap(comparedFields)),
    };
    formReadsCache.set(definition, cachedReads);
  }
  return cachedReads;
}

/**
 * The tests on related records by which a definition shows, requires, locks and validates fields, and changes their states.
 *
 * @example formRelatedTests(deals); // what a form loads of the chosen stage
 */
export function formRelatedTests(definition: Definition): readonly RelatedTest[] {
  return formReads(definition).tests;
}

/**
 * The fields that the same conditions compare.
 *
 * @example formComparedFields(orders).has('total'); // whether a form has to know the total, shown or not
 */
export function formComparedFields(definition: Definition): ReadonlySet<string> {
  return formReads(definition).fields;
}
