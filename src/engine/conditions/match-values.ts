import type { Condition, Field, ResourceRecord } from '../definitions/definition';
import { computedKind } from './computed-kind';
import { matchesCondition } from './match-condition';
import { evaluateCondition } from './may-match';
import type { EvaluationContext } from './variables';
import { comparedFields } from './variables-in';

/**
 * Whether a condition holds for the values of a record, or for a record as returned by the API, with the computed values
 * of the context: true, false, or undefined if only the server knows. A computed field without a known value is unknown,
 * unless the context is complete.
 *
 * @example evaluateOnValues(orders.fields, { total: { $lte: 1000 } }, { lines }, { ...evaluationContext, derived: { total: 12 } }); // true
 */
export function evaluateOnValues(
  fields: Readonly<Record<string, Field>>,
  condition: Condition,
  values: ResourceRecord,
  evaluationContext: EvaluationContext,
): boolean | undefined {
  const { derived: derivedValues, isComplete } = evaluationContext;
  const knownValues = { ...values, ...derivedValues };
  const formContext = { ...evaluationContext, form: knownValues };
  if (isComplete) return matchesCondition(condition, knownValues, formContext);
  const isUnknown = (name: string) =>
    fields[name] !== undefined && isComputedValue(fields[name]) && (derivedValues ?? values)[name] === undefined;
  return comparedFields(condition).some(isUnknown) ? undefined : evaluateCondition(condition, knownValues, formContext);
}

/** Whether a field is computed by an expression, or from other records or rows. */
function isComputedValue(field: Field): boolean {
  const kind = computedKind(field);
  return kind === 'expression' || kind === 'lookup' || kind === 'rollup';
}
