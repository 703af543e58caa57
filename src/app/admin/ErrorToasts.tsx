import { useNotify } from 'react-admin';
import { useEffect } from 'react';
import { endsSession, ApiError } from '../session/apiError';

type Listener = (message: string) => void;

let listener: Listener | null = null;

/** Shows a failed call as a toast: the server's message, else the status in words. The end of the session shows itself. */
export function reportError(error: Error): void {
  if (endsSession(error) || error.name === 'AbortError') return;
  listener?.(error instanceof ApiError || error.message ? error.message : 'Something went wrong.');
}

/** Hands reported errors to the toasts. One of them stands within the application. */
export function ErrorToasts() {
  const notify = useNotify();
  useEffect(() => {
    listener = (message) => notify(message, { type: 'error', messageArgs: { _: message } });
    return () => {
      listener = null;
    };
  }, [notify]);
  return null;
}
