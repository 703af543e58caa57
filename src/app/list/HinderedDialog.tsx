import Button from '@mui/material/Button';
import Dialog from '@mui/material/Dialog';
import DialogActions from '@mui/material/DialogActions';
import DialogContent from '@mui/material/DialogContent';
import DialogTitle from '@mui/material/DialogTitle';
import { useId } from 'react';
import { Link } from 'react-router';
import { FirstButton } from '../dialogs/FirstButton';
import type { Hindrance } from './useArchivedLeaders';

interface HinderedDialogProps {
  /** The action that is blocked. */
  title: string;
  /** Undefined while closed. */
  hindrance: Hindrance | undefined;
  onClose: () => void;
}

/** Explains what blocks an action, and links to it. */
export function HinderedDialog({ title, hindrance, onClose }: HinderedDialogProps) {
  const id = useId();
  return (
    <Dialog
      open={hindrance !== undefined}
      onClose={onClose}
      aria-labelledby={`${id}-title`}
      aria-describedby={`${id}-why`}
      slotProps={{ paper: { sx: { width: 400, maxWidth: 'calc(100% - 32px)' } } }}
    >
      <DialogTitle id={`${id}-title`}>{title}</DialogTitle>
      <DialogContent>
        <p id={`${id}-why`}>{hindrance?.message}</p>
      </DialogContent>
      <DialogActions>
        <Button variant="outlined" onClick={onClose}>
          Close
        </Button>
        {hindrance && (
          <FirstButton variant="contained" {...{ component: Link, to: hindrance.to }} onClick={onClose}>
            Show {hindrance.title}
          </FirstButton>
        )}
      </DialogActions>
    </Dialog>
  );
}
