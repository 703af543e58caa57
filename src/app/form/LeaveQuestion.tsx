import { ConfirmDialog } from '../dialogs/ConfirmDialog';

interface LeaveQuestionProps {
  open: boolean;
  onLeave: () => void;
  onStay: () => void;
}

/** Asks before unsaved changes are discarded. */
export function LeaveQuestion({ open, onLeave, onStay }: LeaveQuestionProps) {
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
