import { useSyncExternalStore } from 'react';

/** The signed-in user, from the sign-in response. */
export interface SessionUser {
  id: number;
  name: string;
  first_name: string;
  last_name: string;
  email: string;
  role_id: number;
  /** The company; null for an administrator of the installation. */
  site_id: number | null;
}

export interface SessionRole {
  id: number;
  role_name: string;
  /** Which rules name; a sign-in does not say it, `GET me` does. */
  key?: string;
  /** 1 (administrator of the installation) to 6 (external). */
  level: number;
}

/** The facts of a sign-in besides the account: figures of the product, by name. */
export type SignInFacts = Readonly<Record<string, unknown>>;

/** The data of a sign-in that this browser stores, besides the facts that the product keeps. */
export interface Session {
  token: string;
  token_type: string;
  user: SessionUser;
  role: SessionRole;
  /** The id of a renewable sign-in: it stays the same when the token is renewed. */
  sign_in_id?: number;
  /** When the token expires by this machine's clock, in milliseconds since 1970. */
  expires_at?: number;
}

/** The storage key of the session. */
const sessionKey = 'assay.session';
const viewKeys = ['listView', 'graphView'];

const listeners = new Set<() => void>();
let lastText: string | null = null;
let lastSession: Session | null = null;

function parse(text: string): Session | null {
  try {
    const value = JSON.parse(text) as Partial<Session> | null;
    return value && typeof value.token === 'string' && value.user && value.role ? (value as Session) : null;
  } catch {
    return null;
  }
}

/**
 * The session of this browser, the same object until it changes; null if nobody is signed in.
 *
 * @example const isMine = readSession()?.user.id === person;
 */
export function readSession(): Session | null {
  const text = localStorage.getItem(sessionKey);
  if (text !== lastText) {
    lastText = text;
    lastSession = text === null ? null : parse(text);
  }
  return lastSession;
}

/** Saves a session, with the product's facts, and notifies subscribers. */
export function saveSession<T extends Session>(session: T): void {
  localStorage.setItem(sessionKey, JSON.stringify(session));
  localStorage.removeItem(endedKey);
  listeners.forEach((listener) => listener());
}

/** Identifies a sign-in, independent of its current token; empty if nobody is signed in. */
export function sessionIdentity(session: Session | null = readSession()): string {
  if (!session) return '';
  return session.sign_in_id === undefined ? session.token.slice(-6) : `sign-in ${session.sign_in_id}`;
}

/**
 * Changes part of the session, such as a fact of the product or the user's name. Does nothing if nobody is signed in.
 *
 * @example updateSession({ totalProjects: 1 });
 */
export function updateSession(change: Partial<Session> & SignInFacts): void {
  const session = readSession();
  if (session) saveSession({ ...session, ...change });
}

/** The person whose session ended by itself, and who has not signed in again. */
const endedKey = 'assay.session-ended';

/** Removes a session that the server does not accept any more: its person did not sign out. */
export function endSession({ user }: Session): void {
  localStorage.setItem(endedKey, String(user.id));
  clearSession();
}

/** Whether nobody is signed in because this person's session ended by itself, here or in another tab. */
export function hasSessionEnded(person: number): boolean {
  return readSession() === null && localStorage.getItem(endedKey) === String(person);
}

/** Removes the session from this browser. It does not end the token on the server. */
export function clearSession(): void {
  localStorage.removeItem(sessionKey);
  listeners.forEach((listener) => listener());
}

/** Sets lists as the default view, if this browser has no choice yet. */
export function setDefaultViews(): void {
  for (const key of viewKeys) if (localStorage.getItem(key) === null) localStorage.setItem(key, 'list');
}

/** Calls back after the session changed, here or in another tab. Returns a function that unsubscribes. */
export function onSessionChange(listener: () => void): () => void {
  const onStorage = (event: StorageEvent) => {
    if (event.key === sessionKey || event.key === null) listener();
  };
  listeners.add(listener);
  window.addEventListener('storage', onStorage);
  return () => {
    listeners.delete(listener);
    window.removeEventListener('storage', onStorage);
  };
}

/** Calls back when the user has signed out, here or in another tab: nothing of them is remembered for whoever signs in next. */
export function onSignOut(forget: () => void): void {
  onSessionChange(() => {
    if (!readSession()) forget();
  });
}

/**
 * The current session; re-renders when it changes.
 *
 * @example const isSignedIn = useSession() !== null;
 */
export function useSession(): Session | null {
  return useSyncExternalStore(onSessionChange, readSession);
}
