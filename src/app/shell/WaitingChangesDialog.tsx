import Button from '@mui/material/Button';
import Dialog from '@mui/material/Dialog';
import DialogActions from '@mui/material/DialogActions';
import DialogContent from '@mui/material/DialogContent';
import DialogTitle from '@mui/material/DialogTitle';
import { useId, useState } from 'react';
import { ConfirmDialog } from '../dialogs/ConfirmDialog';
import { retryNow, useWaitingChanges, type WaitingChange } from '../session/connection';
import * as styles from './waiting-changes.module.css';

/** The changes that wait for the connection: they are sent at once, or given up one by one. */
export function WaitingChangesDialog({ onClose }: { onClose: () => void }) {
  const id = useId();
  const waitingChanges = useWaitingChanges();
  const [changeToDiscard, setChangeToDiscard] = useState<WaitingChange | null>(null);
  return (
    <Dialog open onClose={onClose} fullWidth maxWidth="xs" aria-labelledby={id}>
      <DialogTitle id={id} component="h2">
        Changes that wait
      </DialogTitle>
      <DialogContent>
        {waitingChanges.length === 0 ? (
          <p>No change waits any more.</p>
        ) : (
          <ul className={styles.waitingChanges}>
            {waitingChanges.map((change, index) => (
              <li key={index}>
                <span>{change.label}</span>
                <Button
                  size="small"
                  variant="outlined"
                  aria-label={`Discard ${change.label}`}
                  onClick={() => setChangeToDiscard(change)}
                >
                  Discard
                </Button>
              </li>
            ))}
          </ul>
        )}
      </DialogContent>
      <DialogActions>
        <Button variant="outlined" onClick={onClose}>
          Close
        </Button>
        {waitingChanges.length > 0 && (
          <Button variant="contained" onClick={retryNow}>
            Try now
          </Button>
        )}
      </DialogActions>
      {changeToDiscard && (
        <ConfirmDialog
          open
          title="Discard this change?"
          question={`${changeToDiscard.label} is not saved. A form that is open keeps what you entered.`}
          confirmLabel="Discard"
          destructive
          onConfirm={() => {
            if (waitingChanges.includes(changeToDiscard)) changeToDiscard.discard();
            setChangeToDiscard(null);
          }}
          onClose={() => setChangeToDiscard(null)}
        />
      )}
    </Dialog>
  );
}
