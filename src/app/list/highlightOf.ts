import { matchesOnScreen } from '../../engine/conditions/match-on-screen';
import type { EvaluationContext } from '../../engine/conditions/variables';
import type { Definition, ResourceRecord } from '../../engine/definitions/definition';

/** The highlight of a record: the first whose condition it matches. */
export const highlightOf = (definition: Definition, record: ResourceRecord, evaluationContext: EvaluationContext) =>
  definition.list.highlight.find(({ where: condition }) =>
    matchesOnScreen(definition, condition, record, evaluationContext),
  );
