import Dialog from '@mui/material/Dialog';
import DialogTitle from '@mui/material/DialogTitle';
import IconButton from '@mui/material/IconButton';
import { useId } from 'react';
import { Icon } from '../icons/Icon';
import * as styles from './page-dialog.module.css';

export interface PageDialogProps {
  title: string;
  html: string;
  text: string;
  onClose: () => void;
}

/**
 * Shows a page rendered by the server, with its plain text below. It is sandboxed: nothing in it can run or navigate.
 */
export function PageDialog({ title, html, text, onClose }: PageDialogProps) {
  const titleId = useId();
  return (
    <Dialog open aria-labelledby={titleId} onClose={onClose} slotProps={{ paper: { className: styles.pageDialog } }}>
      <DialogTitle id={titleId} component="h2">
        {title}
        <IconButton aria-label="Close" sx={{ ml: 'auto' }} onClick={onClose}>
          <Icon name="close" />
        </IconButton>
      </DialogTitle>
      <iframe className={styles.pageDialogPage} title={title} sandbox="" srcDoc={html} />
      <details className={styles.pageDialogText}>
        <summary>Plain text</summary>
        <pre>{text}</pre>
      </details>
    </Dialog>
  );
}
