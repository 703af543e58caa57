import type { Action, Definition } from '../../../engine/definitions/definition';
import { EmptyState } from '../../states/EmptyState';
import * as styles from './preview.module.css';

/** Shown when the previewed role does not have the permission. */
export function NotAllowed({ definition, action }: { definition: Definition; action: Action }) {
  const { one: singular, many: plural } = definition.labels;
  const actionTexts = {
    list: `list ${plural}`,
    view: `open a ${singular}`,
    create: `add a ${singular}`,
    edit: `edit a ${singular}`,
    delete: '',
  };
  return (
    <div className={styles.previewNone}>
      <EmptyState title="Not allowed for this role" sentence={`It has no permission to ${actionTexts[action]}.`} />
    </div>
  );
}
