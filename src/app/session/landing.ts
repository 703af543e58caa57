import { navigate } from './navigation';
import { rememberListViews, saveSession, type Session } from './session';

/** Where signing in leads: an owner who has not set the company up yet to the setup, everybody else to the dashboard. */
export function landingPath({ role, totalClients, totalProjects }: Session): string {
  const isOwner = role.level === 2;
  return isOwner && (totalClients === 0 || totalProjects === 0) ? '/flow-setup-steps' : '/dashboard';
}

/** Keeps the new session and goes where it leads. */
export function enter(session: Session): void {
  rememberListViews();
  // The path first: whoever follows the session must not find itself on a sign-in page any more.
  navigate(landingPath(session));
  saveSession(session);
}
