/** The kind of a toast. The names are those of react-admin's `useNotify`. */
export type ToastKind = 'success' | 'error' | 'warning' | 'info';

export interface Toast {
  message: string;
  kind: ToastKind;
}

const key = 'assay.toasts';

/** Queues a toast for the next part of the application that shows toasts. It survives navigation and reload. */
export function queueToast(toast: Toast): void {
  sessionStorage.setItem(key, JSON.stringify([...read(), toast]));
}

/** Returns the queued toasts and removes them. */
export function takeQueuedToasts(): Toast[] {
  const toasts = read();
  sessionStorage.removeItem(key);
  return toasts;
}

function read(): Toast[] {
  try {
    const value: unknown = JSON.parse(sessionStorage.getItem(key) ?? '[]');
    return Array.isArray(value) ? (value as Toast[]) : [];
  } catch {
    return [];
  }
}
