import { ConfirmDialog } from '../dialogs/ConfirmDialog';

interface UnsavedChangesDialogProps {
  open: boolean;
  /** They are being saved. */
  saving?: boolean;
  onLeave: () => void;
  onStay: () => void;
}

/** Asks before unsaved changes are discarded, or left while they are being saved. */
export function UnsavedChangesDialog({ open, saving = false, onLeave, onStay }: UnsavedChangesDialogProps) {
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
      onConfirm={onLeave}
      onClose={onStay}
    />
  );
}
