import type { Action, Definition } from '../../../../engine/definitions/definition';
import { EmptyState } from '../../../states/EmptyState';
import * as styles from './preview.module.css';

/** Shown when the previewed role does not have the permission. */
export function NotAllowed({ definition, action }: { definition: Definition; action: Action }) {
  const { one, many } = definition.labels;
  const what = {
    list: `list ${many}`,
    view: `open a ${one}`,
    create: `add a ${one}`,
    edit: `edit a ${one}`,
    delete: '',
  };
  return (
    <div className={styles.previewNone}>
      <EmptyState title="Not allowed for this role" sentence={`It has no permission to ${what[action]}.`} />
    </div>
  );
}
