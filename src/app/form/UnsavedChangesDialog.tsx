import { ConfirmDialog } from '../dialogs/ConfirmDialog';

interface UnsavedChangesDialogProps {
  open: boolean;
  onLeave: () => void;
  onStay: () => void;
}

/** Asks before unsaved changes are discarded. */
export function UnsavedChangesDialog({ open, onLeave, onStay }: UnsavedChangesDialogProps) {
  return (
    <ConfirmDialog
      open={open}
      title="Unsaved changes"
      question="Your changes are not saved. Leave without saving?"
      confirmLabel="Leave"
      cancelLabel="Stay"
      destructive
      onConfirm={onLeave}
      onClose={onStay}
    />
  );
}
