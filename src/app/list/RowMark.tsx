import type { Definition, ResourceRecord } from '../../engine/definitions/definition';
import { localToday } from '../data/localTime';
import { useEvaluationContext } from '../data/useEvaluationContext';
import { highlightOf } from '../../engine/lists/highlight-of';
import * as chipsStyles from '../chips/chips.module.css';
import * as styles from './grid/grid.module.css';

interface RowMarkProps {
  definition: Definition;
  record: ResourceRecord;
  /** The fields of other columns: one of them may say itself how late the record is. */
  shownFields?: ReadonlySet<string>;
}

/** The label of a highlighted record; nothing on others. */
export function RowMark({ definition, record, shownFields }: RowMarkProps) {
  const evaluationContext = useEvaluationContext(definition);
  const highlight = highlightOf(definition, record, evaluationContext);
  if (!highlight) return null;
  const { lateSince } = highlight;
  const lateDay = lateSince !== undefined && shownFields?.has(lateSince) ? record[lateSince] : undefined;
  if (typeof lateDay === 'string' && lateDay < localToday()) return null;
  return (
    <span className={`${chipsStyles.chip} ${styles.titleMark}`} data-tone={highlight.tone} data-plain="">
      {highlight.label}
    </span>
  );
}
