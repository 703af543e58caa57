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
