import Button from '@mui/material/Button';
import Dialog from '@mui/material/Dialog';
import DialogActions from '@mui/material/DialogActions';
import DialogContent from '@mui/material/DialogContent';
import { useId } from 'react';
import { InitialFocusButton } from '../dialogs/InitialFocusButton';
import type { ResourceRecord } from '../../engine/definitions/definition';
import type { StaleRecord } from './useSaving';
import * as styles from './form.module.css';

interface StaleRecordDialogProps {
  stale: StaleRecord | null;
  onLoadTheirs: (record: ResourceRecord) => void;
  onKeepEditing: (record: ResourceRecord) => void;
}

/** Another user saved the record in the meantime: load their version, or keep editing on top of it. */
export function StaleRecordDialog({ stale, onLoadTheirs, onKeepEditing }: StaleRecordDialogProps) {
  const id = useId();
  const loadTheirs = () => stale && onLoadTheirs(stale.record);
  const keepEditing = () => stale && onKeepEditing(stale.record);
  return (
    <Dialog
      open={stale !== null}
      role="alertdialog"
      aria-labelledby={`${id}-title`}
      aria-describedby={`${id}-text`}
      onClose={keepEditing}
      slotProps={{ paper: { sx: { width: 400 } } }}
    >
      <DialogContent>
        <h2 id={`${id}-title`} className={styles.staleTitle}>
          Changed in the meantime
        </h2>
        <p id={`${id}-text`} className={styles.staleText}>
          {stale?.message} Nothing of yours was saved. If you load their version, what you typed stays beside the form
          to copy.
        </p>
      </DialogContent>
      <DialogActions>
        <Button variant="outlined" size="large" onClick={loadTheirs}>
          Load theirs
        </Button>
        <InitialFocusButton variant="contained" size="large" onClick={keepEditing}>
          Keep editing
        </InitialFocusButton>
      </DialogActions>
    </Dialog>
  );
}
