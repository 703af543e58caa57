import Button from '@mui/material/Button';
import Dialog from '@mui/material/Dialog';
import DialogActions from '@mui/material/DialogActions';
import DialogContent from '@mui/material/DialogContent';
import DialogTitle from '@mui/material/DialogTitle';
import { useId } from 'react';
import { Link } from 'react-router-dom';
import type { Definition } from '../../engine/definitions/definition';
import { InitialFocusButton } from '../dialogs/InitialFocusButton';
import type { ActionBlocker } from './useArchivedLeaders';

interface BlockedActionDialogProps {
  definition: Definition;
  /** Undefined while closed. */
  blocker: ActionBlocker | undefined;
  onClose: () => void;
}

/** Explains why a record cannot be unarchived alone, and links to the one to unarchive first. */
export function BlockedActionDialog({ definition, blocker, onClose }: BlockedActionDialogProps) {
  const id = useId();
  return (
    <Dialog
      open={blocker !== undefined}
      onClose={onClose}
      aria-labelledby={`${id}-title`}
      aria-describedby={`${id}-why`}
      slotProps={{ paper: { sx: { width: 400, maxWidth: 'calc(100% - 32px)' } } }}
    >
      <DialogTitle id={`${id}-title`}>
        This {definition.labels.one.toLowerCase()} cannot be unarchived alone
      </DialogTitle>
      <DialogContent>
        <p id={`${id}-why`}>{blocker?.message}</p>
      </DialogContent>
      <DialogActions>
        <Button variant="outlined" onClick={onClose}>
          Close
        </Button>
        {blocker && (
          <InitialFocusButton variant="contained" {...{ component: Link, to: blocker.to }} onClick={onClose}>
            Show {blocker.title}
          </InitialFocusButton>
        )}
      </DialogActions>
    </Dialog>
  );
}
