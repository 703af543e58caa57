import { ApiError, readError, unreachableError } from './apiError';
import { onSessionChange, readSession, saveSession, sessionIdentity, type Session } from './session';

/** How long before its expiry a token is renewed, in milliseconds. */
const renewalMargin = 60_000;
/** The timeout of a renewal, in milliseconds. */
const renewalTimeout = 20_000;

/** The header that requests short-lived, renewable tokens. */
export const sessionHeader = { 'X-Session': 'renewable' } as const;

/** The token part of the response of sign-in and renewal. */
export interface TokenResponse {
  token: string;
  token_type: string;
  sign_in_id?: number;
  expires_in?: number;
}

let pendingRenewal: Promise<Session | null> | null = null;

/** The stored fields of a token. */
export function tokenFields({ token, token_type, sign_in_id, expires_in }: TokenResponse) {
  return { token, token_type, sign_in_id, expires_at: expires_in && Date.now() + expires_in * 1000 };
}

/**
 * Runs tasks that change this browser's sign-in one after the other across its tabs, so that cookie and storage belong
 * to the same sign-in. Locks exist in secure contexts only; elsewhere the server tolerates two tabs that renew at the
 * same moment.
 */
export function withSessionLock<T>(task: () => Promise<T>): Promise<T> {
  return 'locks' in navigator ? (navigator.locks.request('assay.session', task) as Promise<T>) : task();
}

/**
 * The session with a token that is valid for a while; null if nobody is signed in. Throws `ApiError`: 401 if the
 * sign-in has ended. If the server is unreachable, the token is used until it expires.
 */
export async function freshSession(): Promise<Session | null> {
  const session = readSession();
  const left = session?.expires_at === undefined ? Infinity : session.expires_at - Date.now();
  if (!session || left > renewalMargin) return session;
  try {
    return await renewSession(session);
  } catch (error) {
    if (left > 0 && error instanceof ApiError && error.status !== 401) return session;
    throw error;
  }
}

/**
 * The session that replaces one whose token has expired or is about to: renewed here, or meanwhile by another tab. Null
 * if nobody is signed in any more. Throws `ApiError`: 401 if the sign-in has ended.
 */
export function renewSession(stale: Session): Promise<Session | null> {
  pendingRenewal ??= withSessionLock(() => requestRenewal(stale)).finally(() => {
    pendingRenewal = null;
  });
  return pendingRenewal;
}

async function requestRenewal(stale: Session): Promise<Session | null> {
  const session = readSession();
  if (session?.token !== stale.token) return session;
  const response = await fetch('/api/session/renew', {
    method: 'POST',
    headers: { ...sessionHeader, 'Content-Type': 'application/json', Accept: 'application/json' },
    body: JSON.stringify({ sign_in_id: session.sign_in_id }),
    signal: withTimeout(undefined, renewalTimeout),
  }).catch((cause: unknown) => {
    // The request that needed the token was not sent.
    throw unreachableError(cause, false);
  });
  if (!response.ok) throw await readError(response);
  const next = tokenFields((await response.json()) as TokenResponse);
  // A sign-out or another user's sign-in in the meantime stays in effect.
  const now = readSession();
  if (!now || sessionIdentity(now) !== sessionIdentity(session)) return now;
  saveSession({ ...now, ...next });
  return readSession();
}

/** Whether a session is renewable. Sessions of API clients and of an earlier version last as long as their token. */
export function isRenewable(session: Session): boolean {
  return session.sign_in_id !== undefined;
}

/**
 * Renews the token shortly before it expires, so that open streams continue with the next one. Timers pause while a
 * machine sleeps; the next request renews then. Returns a function that stops it.
 */
export function scheduleRenewal(): () => void {
  let timer: ReturnType<typeof setTimeout> | undefined;
  const plan = () => {
    clearTimeout(timer);
    const { expires_at } = readSession() ?? {};
    if (expires_at === undefined) return;
    // A failure is ignored: the next request fails too, and reports it.
    timer = setTimeout(
      () => void freshSession().catch(() => {}),
      Math.max(0, expires_at - renewalMargin - Date.now()) + 50,
    );
  };
  const unfollow = onSessionChange(plan);
  plan();
  return () => {
    clearTimeout(timer);
    unfollow();
  };
}

/** A signal that aborts with another one, or after a timeout in milliseconds. */
export function withTimeout(signal: AbortSignal | null | undefined, limit: number): AbortSignal | undefined {
  if (limit === Infinity) return signal ?? undefined;
  const end = new AbortController();
  const timeoutError = new DOMException(
    `The server did not respond within ${limit / 1000} seconds. The connection may be slow or lost.`,
    'TimeoutError',
  );
  setTimeout(() => end.abort(timeoutError), limit);
  if (signal?.aborted) end.abort(signal.reason);
  signal?.addEventListener('abort', () => end.abort(signal.reason), { once: true });
  return end.signal;
}
