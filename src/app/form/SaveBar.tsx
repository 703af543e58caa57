import Button from '@mui/material/Button';
import { Icon } from '../icons/Icon';
import * as styles from './form.module.css';

export interface SaveBarProps {
  /** Fields that need attention. */
  errorCount: number;
  dirty: boolean;
  saving: boolean;
  readOnly: boolean;
  onCancel: () => void;
  /** Opens the edit form, if the record is only viewed here and the user may change it. */
  onEdit?: () => void;
  /** Label of the submit button. Default: Save. */
  saveLabel?: string;
}

/** The sticky bar below the fields: number of errors, unsaved state, Cancel and Save. */
export function SaveBar({ errorCount, dirty, saving, readOnly, onCancel, onEdit, saveLabel = 'Save' }: SaveBarProps) {
  return (
    <div className={styles.saveBar}>
      <p className={styles.saveWrong} role="status">
        {errorCount > 0 && (
          <>
            <Icon name="warning" />
            {errorCount === 1 ? '1 field needs attention' : `${errorCount} fields need attention`}
          </>
        )}
      </p>
      {dirty && !readOnly && <span className={styles.saveDirty}>Unsaved changes</span>}
      <Button variant="outlined" size="large" onClick={onCancel}>
        Cancel
      </Button>
      {onEdit && (
        <Button variant="contained" size="large" onClick={onEdit}>
          Edit
        </Button>
      )}
      {!readOnly && (
        <Button
          type="submit"
          variant="contained"
          size="large"
          aria-keyshortcuts="Control+S"
          aria-disabled={saving}
          className={saving ? styles.saveBusy : undefined}
        >
          {saveLabel}
        </Button>
      )}
    </div>
  );
}
