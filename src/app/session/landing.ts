import { navigate } from './navigation';
import { rememberListViews, saveSession, type Session } from './session';

const wantedKey = 'assay.wanted';

/** Where signing in leads: an owner who has not set the company up yet to the setup, everybody else to the dashboard. */
export function landingPath({ role, totalClients, totalProjects }: Session): string {
  const isOwner = role.level === 2;
  return isOwner && (totalClients === 0 || totalProjects === 0) ? '/flow-setup-steps' : '/dashboard';
}

/** Remembers, for this tab, the address that somebody opened who is not signed in. */
export function rememberWanted(): void {
  const { pathname, search, hash } = window.location;
  if (pathname !== '/' && !isBeforeSignIn(pathname)) sessionStorage.setItem(wantedKey, `${pathname}${search}${hash}`);
}

const isBeforeSignIn = (path: string) => path === '/auth' || path.startsWith('/auth/');

/** Forgets it: whoever signs out wants to go nowhere. */
export function forgetWanted(): void {
  sessionStorage.removeItem(wantedKey);
}

/** The remembered address, as a path of this application; null where there is none, or where it leads anywhere else. */
export function wantedPath(): string | null {
  const wanted = sessionStorage.getItem(wantedKey);
  if (wanted === null || !URL.canParse(wanted, window.location.origin)) return null;
  const { origin, pathname, search, hash } = new URL(wanted, window.location.origin);
  // A path that begins with two slashes is the name of another host.
  if (origin !== window.location.origin || pathname.startsWith('//') || isBeforeSignIn(pathname)) return null;
  return `${pathname}${search}${hash}`;
}

/** Keeps the new session and goes where it leads: to what was opened before, unless the company is to be set up first. */
export function enter(session: Session): void {
  rememberListViews();
  const landing = landingPath(session);
  const wanted = wantedPath();
  forgetWanted();
  // The path first: whoever follows the session must not find itself on a sign-in page any more.
  navigate(landing === '/dashboard' ? (wanted ?? landing) : landing);
  saveSession(session);
}
