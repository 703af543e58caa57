import { matchesOnScreen } from '../conditions/match-on-screen';
import type { EvaluationContext } from '../conditions/variables';
import type { Definition, ResourceRecord } from '../definitions/definition';

/**
 * The highlight of a record: the first of its list whose condition it matches.
 *
 * @example highlightOf(tasks, { id: 7, is_delayed: true }, evaluationContext)?.label; // 'Late'
 */
export const highlightOf = (definition: Definition, record: ResourceRecord, evaluationContext: EvaluationContext) =>
  definition.list.highlight.find(({ where: condition }) =>
    matchesOnScreen(definition, condition, record, evaluationContext),
  );
