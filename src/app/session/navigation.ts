import { useSyncExternalStore } from 'react';

const navigateEvent = 'assay:navigate';

/**
 * Navigates to a path of this application without reloading the page.
 *
 * @example navigate('/auth/sign-in', { replace: true });
 */
export function navigate(path: string, { replace = false } = {}): void {
  if (replace) window.history.replaceState(null, '', path);
  else window.history.pushState(null, '', path);
  window.dispatchEvent(new Event(navigateEvent));
}

function subscribe(listener: () => void): () => void {
  window.addEventListener('popstate', listener);
  window.addEventListener(navigateEvent, listener);
  return () => {
    window.removeEventListener('popstate', listener);
    window.removeEventListener(navigateEvent, listener);
  };
}

/**
 * The current path; follows `navigate` and the browser's back and forward.
 *
 * @example usePath().startsWith('/auth');
 */
export function usePath(): string {
  return useSyncExternalStore(subscribe, () => window.location.pathname);
}
