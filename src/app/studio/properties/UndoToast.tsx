import Button from '@mui/material/Button';
import IconButton from '@mui/material/IconButton';
import { useCloseNotification } from 'react-admin';
import type { ReactNode } from 'react';
import { Icon } from '../../icons/Icon';
import * as styles from '../../layout/toasts.module.css';

interface ToastProps {
  text: string;
  kind?: 'success' | 'info';
  /** The action of the toast; `close` dismisses it. */
  children: (close: () => void) => ReactNode;
}

/** A toast with an action. */
export function Toast({ text, kind = 'success', children }: ToastProps) {
  const close = useCloseNotification();
  return (
    <div className={styles.toast} data-kind={kind} role="status">
      <Icon name={kind === 'success' ? 'check-circle' : 'info'} size={18} />
      <div className={styles.toastMessage}>{text}</div>
      {children(close)}
      <IconButton size="small" aria-label="Dismiss" onClick={close}>
        <Icon name="close" />
      </IconButton>
    </div>
  );
}

/** A toast with an Undo button. */
export function UndoToast({ onUndo, ...toast }: Omit<ToastProps, 'children'> & { onUndo: () => void }) {
  return (
    <Toast {...toast}>
      {(close) => (
        <Button
          size="small"
          variant="text"
          color="info"
          onClick={() => {
            close();
            onUndo();
          }}
        >
          Undo
        </Button>
      )}
    </Toast>
  );
}
