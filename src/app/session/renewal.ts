import { ApiError, errorOf, unreachable } from './apiError';
import { withLimit } from './limit';
import { onSessionChange, readSession, saveSession, sessionMark, type Session } from './session';

/** A token is renewed this long before it ends, in milliseconds. */
const margin = 60_000;
/** Milliseconds that the renewal of a token may take. */
const renewalLimit = 20_000;

/** The header with which the application asks for tokens of minutes, and renews them. */
export const sessionHeader = { 'X-Session': 'renewable' } as const;

/** What a sign-in and a renewal answer of the token that they give. */
export interface TokenAnswer {
  token: string;
  token_type: string;
  sign_in_id?: number;
  expires_in?: number;
}

let renewing: Promise<Session | null> | null = null;

/** What is kept of a token. */
export function tokenOf({ token, token_type, sign_in_id, expires_in }: TokenAnswer) {
  return { token, token_type, sign_in_id, expires_at: expires_in && Date.now() + expires_in * 1000 };
}

/**
 * Runs what changes the sign-in of this browser, one after the other among all its tabs, so that the cookie and what is
 * stored belong to the same sign-in. Browsers offer this on encrypted pages and on this machine; elsewhere the server
 * tolerates two tabs that renew at the same moment.
 */
export function alone<T>(task: () => Promise<T>): Promise<T> {
  return 'locks' in navigator ? (navigator.locks.request('assay.session', task) as Promise<T>) : task();
}

/**
 * The session with a token that is good for a while yet; null when nobody is signed in. Throws `ApiError`: 401 when the
 * sign-in has ended. Without an answer of the server the token is used as long as it lasts.
 */
export async function freshSession(): Promise<Session | null> {
  const session = readSession();
  const left = session?.expires_at === undefined ? Infinity : session.expires_at - Date.now();
  if (!session || left > margin) return session;
  try {
    return await renewedSession(session);
  } catch (error) {
    if (left > 0 && error instanceof ApiError && error.status !== 401) return session;
    throw error;
  }
}

/**
 * The session after one whose token has ended or is about to: renewed here, or by another tab meanwhile. Null when nobody
 * is signed in any more. Throws `ApiError`: 401 when the sign-in has ended.
 */
export function renewedSession(stale: Session): Promise<Session | null> {
  renewing ??= alone(() => renew(stale)).finally(() => {
    renewing = null;
  });
  return renewing;
}

async function renew(stale: Session): Promise<Session | null> {
  const session = readSession();
  if (session?.token !== stale.token) return session;
  const response = await fetch('/api/session/renew', {
    method: 'POST',
    headers: { ...sessionHeader, 'Content-Type': 'application/json', Accept: 'application/json' },
    body: JSON.stringify({ sign_in_id: session.sign_in_id }),
    signal: withLimit(undefined, renewalLimit),
  }).catch((cause: unknown) => {
    // What the token was for was not sent.
    throw unreachable(cause, false);
  });
  if (!response.ok) throw await errorOf(response);
  const next = tokenOf((await response.json()) as TokenAnswer);
  // Who signed out meanwhile, or in as somebody else, stays so.
  const now = readSession();
  if (!now || sessionMark(now) !== sessionMark(session)) return now;
  saveSession({ ...now, ...next });
  return readSession();
}

/** Whether a session is renewed: those of programs, and of a former version, last as long as their token. */
export function isRenewable(session: Session): boolean {
  return session.sign_in_id !== undefined;
}

/**
 * Renews the token shortly before it ends, so that what is open (a stream of events) goes on with the next one. Timers
 * stand still while a machine sleeps: the next call renews then. Returns the way out.
 */
export function renewInTime(): () => void {
  let timer: ReturnType<typeof setTimeout> | undefined;
  const plan = () => {
    clearTimeout(timer);
    const { expires_at } = readSession() ?? {};
    if (expires_at === undefined) return;
    // A failure is nobody's concern here: the next call meets it, and says so.
    timer = setTimeout(() => void freshSession().catch(() => {}), Math.max(0, expires_at - margin - Date.now()) + 50);
  };
  const unfollow = onSessionChange(plan);
  plan();
  return () => {
    clearTimeout(timer);
    unfollow();
  };
}
