import type { Definition, ResourceRecord } from '../../engine/definitions/definition';
import { matchesOnScreen } from '../../engine/conditions/match-on-screen';
import { useEvaluationContext } from '../admin/useEvaluationContext';
import * as chipsStyles from '../chips/chips.module.css';
import * as styles from './list.module.css';

interface RowMarkProps {
  definition: Definition;
  record: ResourceRecord;
}

/** The label of a highlighted record; nothing on others. */
export function RowMark({ definition, record }: RowMarkProps) {
  const evaluationContext = useEvaluationContext(definition);
  const { highlight } = definition.list;
  if (!highlight || !matchesOnScreen(definition, highlight.when, record, evaluationContext)) return null;
  return (
    <span className={`${chipsStyles.chip} ${styles.titleMark}`} data-tone={highlight.tone}>
      {highlight.label}
    </span>
  );
}
