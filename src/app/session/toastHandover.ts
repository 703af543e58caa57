/** How a toast is meant. The names are those of react-admin's `useNotify`. */
export type ToastKind = 'success' | 'error' | 'warning' | 'info';

export interface Toast {
  message: string;
  kind: ToastKind;
}

const key = 'assay.toasts';

/** Leaves a toast for the next part of the application that shows any: it survives navigation and reloading. */
export function leaveToast(toast: Toast): void {
  sessionStorage.setItem(key, JSON.stringify([...read(), toast]));
}

/** Takes the toasts that were left; each is handed out once. */
export function takeToasts(): Toast[] {
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
