import Box from '@mui/material/Box';
import Button from '@mui/material/Button';
import Dialog from '@mui/material/Dialog';
import DialogActions from '@mui/material/DialogActions';
import DialogContent from '@mui/material/DialogContent';
import DialogTitle from '@mui/material/DialogTitle';
import { useId, useState, type ReactNode } from 'react';
import { TypeToConfirm } from '../../dialogs/TypeToConfirm';

interface TypedDialogProps {
  title: string;
  /** The consequences; line breaks separate paragraphs. */
  text: string;
  word: string;
  /** A milder alternative, if there is one. */
  hint?: string;
  confirmLabel: string;
  isBusy: boolean;
  onConfirm: () => void;
  onClose: () => void;
  /** Rendered below the text. */
  children?: ReactNode;
}

/** A confirmation that requires a word to be typed, for what cannot be undone. */
export function TypedDialog(props: TypedDialogProps) {
  const { title, text, word, hint, confirmLabel, isBusy, onConfirm, onClose, children } = props;
  const [confirmationText, setConfirmationText] = useState('');
  const id = useId();
  const isConfirmed = confirmationText.trim() === word;
  return (
    <Dialog
      open
      role="alertdialog"
      onClose={isBusy ? undefined : onClose}
      aria-labelledby={`${id}-title`}
      aria-describedby={`${id}-text`}
      slotProps={{ paper: { sx: { width: 480, maxWidth: 'calc(100% - 32px)', m: 4 } } }}
    >
      <form
        onSubmit={(event) => {
          event.preventDefault();
          if (isConfirmed && !isBusy) onConfirm();
        }}
      >
        <DialogTitle id={`${id}-title`}>{title}</DialogTitle>
        <DialogContent sx={{ pt: '16px !important' }}>
          <div id={`${id}-text`}>
            {text.split('\n').map((paragraph) => (
              <Box component="p" sx={{ mb: 3, color: 'var(--t2)' }} key={paragraph}>
                {paragraph}
              </Box>
            ))}
          </div>
          {children}
          <TypeToConfirm word={word} typedText={confirmationText} onType={setConfirmationText} hint={hint} autoFocus />
        </DialogContent>
        <DialogActions>
          <Button variant="outlined" size="large" disabled={isBusy} onClick={onClose}>
            Cancel
          </Button>
          <Button type="submit" variant="contained" color="error" size="large" disabled={!isConfirmed || isBusy}>
            {confirmLabel}
          </Button>
        </DialogActions>
      </form>
    </Dialog>
  );
}
