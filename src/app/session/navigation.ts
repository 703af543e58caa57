import { useSyncExternalStore } from 'react';

const requestedPathKey = 'assay.wanted';

/** Remembers, for this tab, the address that was opened while signed out. */
export function rememberRequestedPath(): void {
  const { pathname, search, hash } = window.location;
  if (pathname !== '/' && !isBeforeSignIn(pathname))
    sessionStorage.setItem(requestedPathKey, `${pathname}${search}${hash}`);
}

const isBeforeSignIn = (path: string) => path === '/auth' || path.startsWith('/auth/');

/** Forgets the remembered address. */
export function forgetRequestedPath(): void {
  sessionStorage.removeItem(requestedPathKey);
}

/** The remembered address as a path of this application; null if there is none, or if it leads elsewhere. */
export function requestedPath(): string | null {
  const storedPath = sessionStorage.getItem(requestedPathKey);
  if (storedPath === null || !URL.canParse(storedPath, window.location.origin)) return null;
  const { origin, pathname, search, hash } = new URL(storedPath, window.location.origin);
  // A path that begins with two slashes names another host.
  if (origin !== window.location.origin || pathname.startsWith('//') || isBeforeSignIn(pathname)) return null;
  return `${pathname}${search}${hash}`;
}

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
