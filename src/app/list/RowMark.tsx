import type { Definition, ResourceRecord } from '../../engine/definitions/definition';
import type { EvaluationContext } from '../../engine/conditions/variables';
import { matchesOnScreen } from '../../engine/conditions/match-on-screen';
import { useEvaluationContext } from '../data/useEvaluationContext';
import * as chipsStyles from '../chips/chips.module.css';
import * as styles from './grid/grid.module.css';

interface RowMarkProps {
  definition: Definition;
  record: ResourceRecord;
}

/** The highlight of a record: the first whose condition it matches. */
export const highlightOf = (definition: Definition, record: ResourceRecord, evaluationContext: EvaluationContext) =>
  definition.list.highlight.find(({ where: condition }) =>
    matchesOnScreen(definition, condition, record, evaluationContext),
  );

/** The label of a highlighted record; nothing on others. */
export function RowMark({ definition, record }: RowMarkProps) {
  const evaluationContext = useEvaluationContext(definition);
  const highlight = highlightOf(definition, record, evaluationContext);
  if (!highlight) return null;
  return (
    <span className={`${chipsStyles.chip} ${styles.titleMark}`} data-tone={highlight.tone} data-plain="">
      {highlight.label}
    </span>
  );
}
