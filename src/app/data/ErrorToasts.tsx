import { useNotify } from 'react-admin';
import { useEffect } from 'react';
import { endsSession, ApiError } from '../session/apiError';

type Listener = (message: string) => void;

let listener: Listener | null = null;

/**
 * Shows a failed call as a toast, with the server's message or else the status. The end of the session is not reported:
 * it leads to the sign-in page.
 *
 * @example await save().catch(reportError);
 */
export function reportError(error: Error): void {
  if (endsSession(error) || error.name === 'AbortError') return;
  listener?.(error instanceof ApiError || error.message ? error.message : 'Something went wrong.');
}

/** Shows reported errors as toasts. Mounted once. */
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
