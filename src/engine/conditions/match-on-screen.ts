import type { Condition, Definition, ResourceRecord } from '../definitions/definition';
import { matchesCondition, predicateOf } from './match-condition';
import { evaluateOnValues } from './match-values';
import { relatedTestsIn } from './related-tests';
import type { EvaluationContext } from './variables';

/**
 * Whether the condition matches a record of a list or a form, as returned by the API. Related records are those that it
 * embeds: `{ "stage_id.is_lost": true }` reads the embed of `stage_id`, whatever its name.
 *
 * @example matchesOnScreen(deals, { 'stage_id.is_lost': true }, { stage_id: 3, stage: { id: 3, is_lost: true } }, context);
 */
export function matchesOnScreen(
  definition: Definition,
  condition: Condition,
  record: ResourceRecord,
  evaluationContext: EvaluationContext,
): boolean {
  return matchesCondition(condition, withEmbeds(definition, condition, record), evaluationContext);
}

/**
 * As `matchesOnScreen`, as far as the response tells: what it does not contain counts as matching, and the server decides.
 *
 * @example mayMatchOnScreen(leaves, { 'employee_id.manager_id': '$actor.id' }, { employee_id: 3 }, context); // true
 */
export function mayMatchOnScreen(
  definition: Definition,
  condition: Condition,
  record: ResourceRecord,
  evaluationContext: EvaluationContext,
): boolean {
  const values = withEmbeds(definition, condition, record);
  return evaluateOnValues(definition.fields, condition, values, evaluationContext) !== false;
}

/** The record with embeds in place of the ids of those relations whose records the condition tests. */
function withEmbeds(definition: Definition, condition: Condition, record: ResourceRecord): ResourceRecord {
  const embeds = relatedTestsIn(predicateOf(condition)).flatMap(({ field }): [string, unknown][] => {
    const embed = definition.fields[field]?.embed;
    return embed === undefined || record[embed] === undefined ? [] : [[field, record[embed]]];
  });
  return embeds.length === 0 ? record : { ...record, ...Object.fromEntries(embeds) };
}
