import type { Definition, ResourceRecord, ShownAnswer } from '../../../engine/definitions/definition';
import { recordTitle } from '../../../engine/lists/row-actions';
import { CopyableText } from '../../dialogs/CopyableText';
import { RowMark } from '../../list/RowMark';
import * as styles from './side.module.css';

interface SideHeadProps {
  definition: Definition;
  /** The stored record with what is typed; without an id it is new. */
  record: ResourceRecord;
  shownAnswer?: ShownAnswer;
}

/** Above the form in a panel: a secret that is shown once, and which record it is, with its mark of the list. */
export function SideHead({ definition, record, shownAnswer }: SideHeadProps) {
  return (
    <div className={styles.formSideTop}>
      {shownAnswer?.secret !== undefined && (
        <div className={styles.formSideSecret} role="status">
          <p>
            <b>{shownAnswer.title}</b> {shownAnswer.text}
          </p>
          <CopyableText text={shownAnswer.secret} label={shownAnswer.title} />
        </div>
      )}
      {record.id !== undefined && (
        <p className={styles.formSideRecord}>
          <b>{recordTitle(definition, record)}</b>
          <RowMark {...{ definition, record }} />
        </p>
      )}
    </div>
  );
}
