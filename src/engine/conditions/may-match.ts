import type { Condition, ResourceRecord } from '../definitions/definition';
import { compareValues, matchesPredicate, predicateOf, toList } from './match-condition';
import type { Predicate } from './grammar';
import type { RelatedTest } from './related-tests';
import { resolveVariables, type EvaluationContext } from './variables';

/**
 * Whether the condition matches a record as returned by the API, as far as the response can tell: tests on related
 * records that the response does not include count as matching. Decides what to offer; the server makes the final
 * decision.
 *
 * @example
 * mayMatch({ project_id: { $some: { active: true } } }, { project_id: 7 }, context); // true: the response does not say
 */
export function mayMatch(condition: Condition, record: ResourceRecord, evaluationContext: EvaluationContext): boolean {
  return evaluateCondition(condition, record, evaluationContext) !== false;
}

/** As `mayMatch`: true, false, or undefined if the record and the context do not tell. */
export function evaluateCondition(
  condition: Condition,
  record: ResourceRecord,
  evaluationContext: EvaluationContext,
): boolean | undefined {
  const recordContext = { form: record, record, ...evaluationContext };
  return evaluate(resolveVariables(predicateOf(condition), recordContext, compareValues), record, false);
}

/**
 * Whether some of the related records, of which perhaps only some fields are known, pass a test; undefined if that is
 * not known.
 *
 * @example
 * evaluateRelatedTest(test, project.members, evaluationContext); // undefined: the response lacks a field of the test
 */
export function evaluateRelatedTest(
  { of: testPredicate }: RelatedTest,
  records: readonly ResourceRecord[],
  evaluationContext: EvaluationContext,
): boolean | undefined {
  const predicate = resolveVariables(testPredicate, evaluationContext, compareValues);
  return anyTrue(records.map((record) => evaluate(predicate, record, true)));
}

/**
 * True, false, or undefined if unknown. `isEmbedded`: the record is an embedded one, which contains only some of its
 * fields.
 */
function evaluate(predicate: Predicate, record: ResourceRecord, isEmbedded: boolean): boolean | undefined {
  switch (predicate.kind) {
    case 'all': {
      const outcomes = predicate.of.map((part) => evaluate(part, record, isEmbedded));
      return outcomes.includes(false) ? false : outcomes.includes(undefined) ? undefined : true;
    }
    case 'any':
      return anyTrue(predicate.of.map((part) => evaluate(part, record, isEmbedded)));
    case 'not': {
      const opposite = evaluate(predicate.of, record, isEmbedded);
      return opposite === undefined ? undefined : !opposite;
    }
    case 'some': {
      const value = record[predicate.field];
      if (value === undefined) return undefined;
      const list: unknown[] = Array.isArray(value) ? value : value === null ? [] : [value];
      return anyTrue(list.map((member) => evaluate(predicate.of, asRecord(member), true)));
    }
    case 'compare':
      // The record itself is known, those above it are not.
      if (predicate.operator === '$below')
        return toList(predicate.right).includes(record[predicate.left]) ? true : undefined;
      return isEmbedded && record[predicate.left] === undefined ? undefined : matchesPredicate(predicate, record);
  }
}

function anyTrue(outcomes: readonly (boolean | undefined)[]): boolean | undefined {
  return outcomes.includes(true) ? true : outcomes.includes(undefined) ? undefined : false;
}

function asRecord(value: unknown): ResourceRecord {
  return typeof value === 'object' && value !== null ? (value as ResourceRecord) : { id: value };
}
