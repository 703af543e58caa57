import { useState } from 'react';
import { ConfirmDialog } from '../dialogs/ConfirmDialog';

interface UnsavedChangesDialogProps {
  open: boolean;
  /** They are being saved. */
  saving?: boolean;
  onLeave: () => void;
  /** Saves them, and leaves if that worked. */
  onSave?: () => void;
  onStay: () => void;
}

/** Asks before unsaved changes are discarded, or left while they are being saved. */
export function UnsavedChangesDialog({ open, saving = false, onLeave, onSave, onStay }: UnsavedChangesDialogProps) {
  // The answers stay while the dialog fades away.
  const [isSaveOffered, setSaveOffered] = useState(false);
  const canSave = onSave !== undefined && !saving;
  if (open && isSaveOffered !== canSave) setSaveOffered(canSave);
  return (
    <ConfirmDialog
      open={open}
      title={saving ? 'Still saving…' : 'Unsaved changes'}
      question={
        saving
          ? 'Your changes are being saved. If you leave now, you will not see whether that worked.'
          : 'Your changes are not saved. Leave without saving?'
      }
      confirmLabel="Leave"
      cancelLabel="Stay"
      destructive={!saving}
      alternative={isSaveOffered ? { label: 'Save and leave', onChoose: () => onSave?.() } : undefined}
      onConfirm={onLeave}
      onClose={onStay}
    />
  );
}
