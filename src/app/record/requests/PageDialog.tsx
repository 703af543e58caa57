import Button from '@mui/material/Button';
import Dialog from '@mui/material/Dialog';
import DialogActions from '@mui/material/DialogActions';
import DialogContent from '@mui/material/DialogContent';
import DialogTitle from '@mui/material/DialogTitle';
import { useId } from 'react';
import { DialogHead } from '../../dialogs/DialogHead';
import type { ShownAnswer } from '../../../engine/definitions/definition';
import { CopyableText } from '../../dialogs/CopyableText';
import * as styles from './page-dialog.module.css';

export interface PageDialogProps extends ShownAnswer {
  onClose: () => void;
}

/**
 * Shows a page rendered by the server, with its plain text below; it is sandboxed: nothing in it can run or navigate. Or
 * shows a secret.
 */
export function PageDialog({ title, html, text, secret, onClose }: PageDialogProps) {
  const titleId = useId();
  if (secret !== undefined) return <SecretDialog title={title} secret={secret} text={text} onClose={onClose} />;
  return (
    <Dialog open aria-labelledby={titleId} onClose={onClose} slotProps={{ paper: { className: styles.pageDialog } }}>
      <DialogHead id={titleId} onClose={onClose}>
        {title}
      </DialogHead>
      <iframe className={styles.pageDialogPage} title={title} sandbox="" srcDoc={html} />
      <details className={styles.pageDialogText}>
        <summary>Plain text</summary>
        <pre>{text}</pre>
      </details>
    </Dialog>
  );
}

/** Shows a secret with a button that copies it. A click beside the dialog does not close it, for it is shown once. */
function SecretDialog({
  title,
  secret,
  text,
  onClose,
}: {
  title: string;
  secret: string;
  text: string;
  onClose: () => void;
}) {
  const titleId = useId();
  return (
    <Dialog
      open
      aria-labelledby={titleId}
      onClose={(_event, reason) => reason === 'escapeKeyDown' && onClose()}
      slotProps={{ paper: { className: styles.secretDialog } }}
    >
      <DialogTitle id={titleId} component="h2">
        {title}
      </DialogTitle>
      <DialogContent>
        <div className={styles.secret}>
          <CopyableText text={secret} label={title} />
        </div>
        <p className={styles.secretText}>{text}</p>
      </DialogContent>
      <DialogActions>
        <Button variant="contained" size="large" onClick={onClose}>
          Done
        </Button>
      </DialogActions>
    </Dialog>
  );
}
