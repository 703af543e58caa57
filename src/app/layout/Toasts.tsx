import IconButton from '@mui/material/IconButton';
import { Notification, useCloseNotification, useNotify, type NotificationProps } from 'react-admin';
import { useEffect, type ReactNode, type Ref } from 'react';
import { Icon } from '../icons/Icon';
import { takeToasts } from '../session/toastHandover';
import './toasts.css';

const icons = { success: 'check-circle', error: 'warning', warning: 'warning', info: 'info' };

interface ToastContentProps {
  ref?: Ref<HTMLDivElement>;
  message?: ReactNode;
  action?: ReactNode;
  className?: string;
}

function ToastContent({ ref, message, action, className = '' }: ToastContentProps) {
  const close = useCloseNotification();
  // react-admin says the kind by a class alone, and nothing for plain information.
  const kind = (['success', 'error', 'warning'] as const).find((name) => className.includes(`-${name}`)) ?? 'info';
  return (
    <div ref={ref} className="toast" data-kind={kind} role={kind === 'error' ? 'alert' : 'status'}>
      <Icon name={icons[kind]} size={18} />
      <div className="toast-message">{message}</div>
      {action}
      <IconButton size="small" aria-label="Dismiss" onClick={close}>
        <Icon name="close" />
      </IconButton>
    </div>
  );
}

/** Shows what `useNotify` says, and first what the pages before sign-in left. react-admin's `notification` wants this one. */
export function Toasts(props: NotificationProps) {
  const notify = useNotify();
  useEffect(() => takeToasts().forEach(({ message, kind }) => notify(message, { type: kind })), [notify]);
  return <Notification {...props} slots={{ content: ToastContent }} />;
}
