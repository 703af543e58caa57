import IconButton from '@mui/material/IconButton';
import Snackbar from '@mui/material/Snackbar';
import {
  CloseNotificationContext,
  useCloseNotification,
  useNotificationContext,
  useNotify,
  useTranslate,
  type NotificationPayload,
} from 'react-admin';
import { useCallback, useEffect, useState, type ReactNode, type Ref } from 'react';
import { Icon } from '../icons/Icon';
import { takeQueuedToasts } from '../session/toastQueue';
import * as styles from './toasts.module.css';

/** The default display time of a toast, in milliseconds. */
const defaultDuration = 4000;

const icons = { success: 'check-circle', error: 'warning', warning: 'warning', info: 'info' };

interface ToastContentProps {
  ref?: Ref<HTMLDivElement>;
  kind: keyof typeof icons;
  message: ReactNode;
  action?: ReactNode;
}

function ToastContent({ ref, kind, message, action }: ToastContentProps) {
  const close = useCloseNotification();
  return (
    <div ref={ref} className={styles.toast} data-kind={kind} role={kind === 'error' ? 'alert' : 'status'}>
      <Icon name={icons[kind]} size={18} />
      <div className={styles.toastMessage}>{message}</div>
      {action}
      <IconButton size="small" aria-label="Dismiss" onClick={close}>
        <Icon name="close" />
      </IconButton>
    </div>
  );
}

/** Shows the notifications of `useNotify`, one after the other, first those queued by the pages before sign-in. */
export function Toasts() {
  const notify = useNotify();
  const translate = useTranslate();
  const { notifications, takeNotification } = useNotificationContext();
  const [visibleToast, setVisibleToast] = useState<NotificationPayload>();
  const [open, setOpen] = useState(false);
  const close = useCallback(() => setOpen(false), []);
  useEffect(() => takeQueuedToasts().forEach(({ message, kind }) => notify(message, { type: kind })), [notify]);
  useEffect(() => {
    if (visibleToast || notifications.length === 0) return;
    setVisibleToast(takeNotification() ?? undefined);
    setOpen(true);
  }, [notifications, visibleToast, takeNotification]);
  if (!visibleToast) return null;
  const { message, type, notificationOptions = {} } = visibleToast;
  // Null: until it is dismissed.
  const { autoHideDuration = defaultDuration, action, messageArgs } = notificationOptions;
  return (
    <CloseNotificationContext value={close}>
      <Snackbar
        open={open}
        autoHideDuration={autoHideDuration}
        anchorOrigin={{ vertical: 'bottom', horizontal: 'center' }}
        slotProps={{ transition: { onExited: () => setVisibleToast(undefined) } }}
        onClose={close}
      >
        <ToastContent
          kind={type in icons ? type : 'info'}
          message={typeof message === 'string' ? translate(message, messageArgs as object | undefined) : message}
          action={action as ReactNode}
        />
      </Snackbar>
    </CloseNotificationContext>
  );
}
