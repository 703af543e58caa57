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
  if (pathname !== '/') sessionStorage.setItem(wantedKey, `${pathname}${search}${hash}`);
}

/** Forgets it: whoever signs out wants to go nowhere. */
export function forgetWanted(): void {
  sessionStorage.removeItem(wantedKey);
}

/** Keeps the new session and goes where it leads: to what was opened before, unless the company is to be set up first. */
export function enter(session: Session): void {
  rememberListViews();
  const landing = landingPath(session);
  const wanted = sessionStorage.getItem(wantedKey);
  forgetWanted();
  // The path first: whoever follows the session must not find itself on a sign-in page any more.
  navigate(wanted?.startsWith('/') && landing === '/dashboard' ? wanted : landing);
  saveSession(session);
}
