import { createContext, use, useCallback, useEffect, useRef, useState, type ReactNode } from 'react';
import { Icon } from '../icons/Icon';
import { takeQueuedToasts, type Toast } from '../session/toastQueue';
import * as styles from './auth.module.css';

const toastDuration = 6000;
const icons = { success: 'check-circle', error: 'warning', warning: 'warning', info: 'info' };
const ToastContext = createContext<(toast: Toast) => void>(() => {});

/** Returns a function that shows a toast on the pages before sign-in. */
export function useAuthToast(): (toast: Toast) => void {
  return use(ToastContext);
}

/** Shows toasts on the pages before sign-in, first those that the application queued. */
export function AuthToasts({ children }: { children: ReactNode }) {
  const [toasts, setToasts] = useState<(Toast & { id: number })[]>([]);
  const lastId = useRef(0);

  const show = useCallback((toast: Toast) => {
    const id = ++lastId.current;
    setToasts((toastsBefore) => [...toastsBefore, { ...toast, id }]);
  }, []);
  useEffect(() => takeQueuedToasts().forEach(show), [show]);

  const dismiss = (id: number) => setToasts((toastsBefore) => toastsBefore.filter((toast) => toast.id !== id));
  return (
    <ToastContext value={show}>
      {children}
      <div className={styles.authToasts} role="status">
        {toasts.map((toast) => (
          <ToastItem key={toast.id} toast={toast} onClose={() => dismiss(toast.id)} />
        ))}
      </div>
    </ToastContext>
  );
}

function ToastItem({ toast, onClose }: { toast: Toast; onClose: () => void }) {
  const close = useRef(onClose);
  useEffect(() => {
    close.current = onClose;
  });
  useEffect(() => {
    const timer = setTimeout(() => close.current(), toastDuration);
    return () => clearTimeout(timer);
  }, []);
  return (
    <div className={styles.authToast} data-kind={toast.kind}>
      <Icon name={icons[toast.kind]} size={18} />
      <span>{toast.message}</span>
      <button type="button" className={styles.authIconButton} onClick={onClose}>
        <Icon name="close" />
        <span className="unseen">Dismiss</span>
      </button>
    </div>
  );
}
