import Button from '@mui/material/Button';
import Dialog from '@mui/material/Dialog';
import DialogActions from '@mui/material/DialogActions';
import DialogContent from '@mui/material/DialogContent';
import { useId, type ReactNode } from 'react';
import { InitialFocusButton } from './InitialFocusButton';

export interface ConfirmDialogProps {
  open: boolean;
  /** The short question at the top. */
  title?: string;
  /** The question, in the words of the definition. */
  question: string;
  /** A consequence to know before the answer. */
  note?: string | false;
  /** Inputs and details of the question, below it. */
  children?: ReactNode;
  confirmLabel: string;
  cancelLabel?: string;
  /** Shows the confirm button in red. */
  destructive?: boolean;
  /** The action is in progress: both buttons are disabled. */
  isBusy?: boolean;
  /** Pixels. */
  width?: number;
  /** A third, better answer: it has the primary button. */
  alternative?: { readonly label: string; readonly onChoose: () => void };
  onConfirm: () => void;
  onClose: () => void;
}

/** Three answers stand below each other, the best at the top. */
const stackedButtons = {
  flexDirection: 'column-reverse',
  alignItems: 'stretch',
  '& > *': { ml: '0 !important' },
} as const;

/** Asks before an action. The focus starts on Cancel, so that Enter does no harm. */
export function ConfirmDialog({
  open,
  title,
  question,
  note,
  children,
  confirmLabel,
  cancelLabel = 'Cancel',
  destructive = false,
  isBusy = false,
  alternative,
  width = 300,
  onConfirm,
  onClose,
}: ConfirmDialogProps) {
  const id = useId();
  return (
    <Dialog
      open={open}
      onClose={isBusy ? undefined : onClose}
      role="alertdialog"
      aria-labelledby={title ? `${id}-title` : `${id}-question`}
      aria-describedby={[title && `${id}-question`, note && `${id}-note`].filter(Boolean).join(' ') || undefined}
      slotProps={{ paper: { sx: { width, maxWidth: 'calc(100% - 32px)', m: 4 } } }}
    >
      <DialogContent sx={{ pb: 4 }}>
        {title && (
          <h2 id={`${id}-title`} style={{ margin: '0 0 4px', font: '600 16px/24px var(--font)' }}>
            {title}
          </h2>
        )}
        <p id={`${id}-question`} style={{ color: title ? 'var(--t2)' : 'var(--t1)' }}>
          {question}
        </p>
        {note && (
          <p id={`${id}-note`} style={{ color: 'var(--t2)' }}>
            {note}
          </p>
        )}
        {children}
      </DialogContent>
      <DialogActions sx={{ border: 0, pt: 0, pb: 5, ...(alternative && stackedButtons) }}>
        <InitialFocusButton variant="outlined" size="large" disabled={isBusy} onClick={onClose}>
          {cancelLabel}
        </InitialFocusButton>
        <Button
          variant={alternative ? 'outlined' : 'contained'}
          size="large"
          color={destructive ? 'error' : 'primary'}
          disabled={isBusy}
          onClick={() => onConfirm()}
        >
          {confirmLabel}
        </Button>
        {alternative && (
          <Button variant="contained" size="large" disabled={isBusy} onClick={alternative.onChoose}>
            {alternative.label}
          </Button>
        )}
      </DialogActions>
    </Dialog>
  );
}
