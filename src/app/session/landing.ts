import { navigate } from './navigation';
import { setDefaultViews, saveSession, type Session } from './session';

const requestedPathKey = 'assay.wanted';

/** The page after sign-in: the setup for an owner without clients or projects, the dashboard for everybody else. */
export function landingPath({ role, totalClients, totalProjects }: Session): string {
  const isOwner = role.level === 2;
  return isOwner && (totalClients === 0 || totalProjects === 0) ? '/flow-setup-steps' : '/dashboard';
}

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
  const wanted = sessionStorage.getItem(requestedPathKey);
  if (wanted === null || !URL.canParse(wanted, window.location.origin)) return null;
  const { origin, pathname, search, hash } = new URL(wanted, window.location.origin);
  // A path that begins with two slashes names another host.
  if (origin !== window.location.origin || pathname.startsWith('//') || isBeforeSignIn(pathname)) return null;
  return `${pathname}${search}${hash}`;
}

/** Saves the new session and goes to the address opened before sign-in, unless the company has to be set up first. */
export function completeSignIn(session: Session): void {
  setDefaultViews();
  const landing = landingPath(session);
  const wanted = requestedPath();
  forgetRequestedPath();
  // The path first: observers of the session must not be on a sign-in page any more.
  navigate(landing === '/dashboard' ? (wanted ?? landing) : landing);
  saveSession(session);
}
