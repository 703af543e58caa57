import type { Definition } from '../../src/engine/definitions/definition';
import * as chipsStyles from '../../src/app/chips/chips.module.css';
import * as styles from './calendar.module.css';

/** Marks a log, or a day with such logs, as the definition marks their rows in lists. */
export function OverlapMark({ definition }: { definition: Definition }) {
  const [highlight] = definition.list.highlight;
  return (
    highlight && (
      <span className={`${chipsStyles.chip} ${styles.timesheetMark}`} data-tone={highlight.tone}>
        <span>{highlight.label}</span>
      </span>
    )
  );
}
