import Button from '@mui/material/Button';
import { formatListState, isSavedView } from '../../../engine/lists/list-state';
import { Icon } from '../../icons/Icon';
import { useResourceList } from '../ResourceList';
import * as styles from '../toolbar.module.css';

/** Saves the list as a view, once its filters, order, columns, groups, totals or rows a page are not as they were. */
export default function SaveView() {
  const { definition, state, onSaveView } = useResourceList();
  const keptState = { ...state, q: '', page: 1, view: null, tab: null, saved: undefined };
  if (!onSaveView || isSavedView(state) || formatListState(keptState, definition).length === 0) return null;
  return (
    <Button variant="text" title="Save view" startIcon={<Icon name="save" />} onClick={onSaveView}>
      <span className={styles.listLabel}>Save view</span>
    </Button>
  );
}
