import Button from '@mui/material/Button';
import { Icon } from '../icons/Icon';
import { nextButton } from './RecordForm';
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
  /** Whether there is a button that saves and begins the next record. */
  hasNext?: boolean;
  /** Label of the submit button. Default: Save. */
  saveLabel?: string;
}

/** Saves a new record, and begins the next one in the same form. */
export function SaveAndNext({ saving }: Pick<SaveBarProps, 'saving'>) {
  return (
    <Button
      type="submit"
      value={nextButton}
      variant="outlined"
      size="large"
      title="Save and add another (Ctrl Shift Enter)"
      aria-keyshortcuts="Control+Shift+Enter"
      aria-disabled={saving}
      className={styles.saveNext}
    >
      Save and add another
    </Button>
  );
}

/** The sticky bar below the fields: number of errors, unsaved state, Cancel and Save. */
export function SaveBar(props: SaveBarProps) {
  const { errorCount, dirty, saving, readOnly, onCancel, onEdit, hasNext, saveLabel = 'Save' } = props;
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
          sx={{ order: 1 }}
          aria-disabled={saving}
          className={saving ? styles.saveBusy : undefined}
        >
          {saveLabel}
        </Button>
      )}
      {/* After Save, which Enter in a field presses: the first submit button. */}
      {!readOnly && hasNext && <SaveAndNext saving={saving} />}
    </div>
  );
}
