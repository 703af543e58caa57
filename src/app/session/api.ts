import { localTimeZone } from '../../engine/formats/time-zone';
import { ApiError, endsSession, readError, asUnknownOutcome, readText, unreachableError } from './apiError';
import { takePrefetched } from './prefetch';
import { checkViewing } from './checkViewing';
import { markConnected, markDisconnected } from './connection';
import { freshSession, isRenewable, renewSession, withTimeout } from './renewal';
import { proveIdentity } from './proof';
import { recordOwnVersion } from './ownVersions';
import { clearSession, endSession, readSession, sessionIdentity, type Session } from './session';
import { queueToast } from './toastQueue';
import { readViewing, viewAsHeader } from './viewedUser';

/** Keys of requests whose outcome is unknown, by the request's fingerprint. */
const pendingKeys = new Map<string, string>();
const maxKeys = 100;

/**
 * Sends a change with an `Idempotency-Key`. If its outcome is unknown, the next identical request gets the same key, so
 * that trying again stores nothing twice. Any other request, or the same one after a response, gets a new key.
 */
async function withIdempotencyKey<T>(fingerprint: string, send: (key: string) => Promise<T>): Promise<T> {
  const key = pendingKeys.get(fingerprint) ?? createKey();
  try {
    const answer = await send(key);
    pendingKeys.delete(fingerprint);
    return answer;
  } catch (error) {
    if (isOutcomeUnknown(error)) rememberKey(fingerprint, key);
    else pendingKeys.delete(fingerprint);
    throw error;
  }
}

/** Whether a failed request may have stored something. */
function isOutcomeUnknown(error: unknown): boolean {
  return error instanceof ApiError && (error.status === 0 || error.status >= 500 || error.code === 'CONFLICT');
}

/** A request's fingerprint, as text: files by what distinguishes them. */
function requestFingerprint(method: string, path: string, body: unknown): string {
  const text =
    body instanceof FormData
      ? JSON.stringify([...body].map(([name, value]) => [name, value instanceof File ? fileFingerprint(value) : value]))
      : String(body ?? '');
  return `${method} ${path} ${text}`;
}

function rememberKey(fingerprint: string, key: string): void {
  pendingKeys.delete(fingerprint);
  pendingKeys.set(fingerprint, key);
  if (pendingKeys.size > maxKeys) pendingKeys.delete(pendingKeys.keys().next().value!);
}

function fileFingerprint({ name, size, lastModified }: File): string {
  return `${name} ${size} ${lastModified}`;
}

/** `crypto.randomUUID` only exists in secure contexts. */
function createKey(): string {
  return Array.from(crypto.getRandomValues(new Uint8Array(16)), (byte) => byte.toString(16).padStart(2, '0')).join('');
}

export { ApiError } from './apiError';

export interface ApiInit extends RequestInit {
  /** The JSON body. Leave it out for multipart bodies and requests without a body. */
  json?: unknown;
  /** Sends no bearer token: for calls before sign-in. */
  anonymous?: boolean;
  /** Reads only, although it has a body: a lost connection leaves no doubt about stored changes. */
  readsOnly?: boolean;
  /** The timeout in milliseconds; Infinity for streams. Has a default. */
  limit?: number;
  /** Sends the request in place of `fetch`, such as to tell how much of it has been sent. */
  fetch?: typeof fetch;
}

/** Timeouts in milliseconds of reads, changes, and transfers of files. */
const [readingLimit, changeLimit] = [30_000, 120_000];
export const fileLimit = 600_000;

export const idempotencyHeader = 'Idempotency-Key';
const viewAsPath = '/view-as';

/**
 * Sends a request to the API with the bearer token, the time zone and the user being viewed as, and returns the
 * response if it is ok. `path` follows `/api`, as in `/login`. Throws `ApiError`, and an `AbortError` as it is. An
 * expired token is renewed and the request sent again; so is a request that requires the user to confirm their
 * identity, once they did. A response that ends the session clears it here: the sign-in page follows and shows the
 * message. Without a session nothing is sent, and the sign-in page follows. Changes carry an idempotency key, so that they can be sent again if their outcome is unknown, which the
 * error then says.
 *
 * @example const total = (await requestApi('/tasks?range=[0,0]')).headers.get('content-range');
 */
export async function requestApi(path: string, init: ApiInit = {}): Promise<Response> {
  const { method = 'GET', anonymous, readsOnly, json, body, headers } = init;
  if (method === 'GET' && !anonymous && hasDefaultHeaders(headers))
    return takePrefetched(path, init.signal) ?? requestWithSession(path, init);
  if (anonymous || readsOnly || method === 'GET' || method === 'HEAD') return requestWithSession(path, init);
  // A caller that stores a request to send it later gives it a key of its own.
  if (new Headers(headers).has(idempotencyHeader)) return requestWithSession(path, init);
  const fingerprint = requestFingerprint(method, path, json === undefined ? body : JSON.stringify(json));
  return withIdempotencyKey(fingerprint, (key) => {
    const allHeaders = new Headers(headers);
    allHeaders.set(idempotencyHeader, key);
    return requestWithSession(path, { ...init, headers: allHeaders });
  }).catch((error: unknown) => {
    throw asUnknownOutcome(error);
  });
}

/** Whether a request has no conditional headers, so that a prefetched response fits. */
function hasDefaultHeaders(headers: HeadersInit | undefined): boolean {
  return [...new Headers(headers).keys()].every((name) => name === 'accept');
}

async function requestWithSession(path: string, init: ApiInit): Promise<Response> {
  let session: Session | null = null;
  try {
    session = init.anonymous ? null : readSession();
    if (session) session = await freshSession();
    else if (!init.anonymous) {
      // The session was removed: the screens go, and their requests are not sent.
      clearSession();
      throw new ApiError(401, 'Unauthenticated.');
    }
    let answer = await send(path, init, session);
    if (answer.status === 401 && session && isRenewable(session)) {
      const next = await renewSession(session);
      // Another user may have signed in meanwhile: never send one user's request as another.
      if (next && sessionIdentity(next) === sessionIdentity(session)) answer = await send(path, init, (session = next));
    }
    if (answer.ok) return answer;
    const error = await readError(answer);
    if (error.code !== 'PROOF_REQUIRED' || !session || !(await proveIdentity())) throw error;
    const secondAnswer = await send(path, init, await freshSession());
    if (secondAnswer.ok) return secondAnswer;
    throw await readError(secondAnswer);
  } catch (error) {
    const viewState = session && readViewing();
    if (endsSession(error) && session && sessionIdentity() === sessionIdentity(session)) {
      queueToast({ message: error.message, kind: 'error' });
      endSession(session);
    }
    if (viewState && error instanceof ApiError && error.status !== 0 && path !== viewAsPath) {
      checkViewing(viewState, error, () => requestApi(viewAsPath));
    }
    throw error;
  }
}

function send(
  path: string,
  { json, anonymous: _, readsOnly: __, headers, limit, signal, fetch: sendWith = fetch, ...init }: ApiInit,
  session: Session | null,
): Promise<Response> {
  const viewState = session && readViewing();
  const allHeaders = new Headers(headers);
  if (!allHeaders.has('Accept')) allHeaders.set('Accept', 'application/json');
  allHeaders.set('X-Timezone', localTimeZone());
  if (session) allHeaders.set('Authorization', `${session.token_type} ${session.token}`);
  if (viewState && !allHeaders.has(viewAsHeader)) allHeaders.set(viewAsHeader, viewState.as);
  if (json !== undefined) allHeaders.set('Content-Type', 'application/json');

  const body = json === undefined ? init.body : JSON.stringify(json);
  const defaultLimit =
    body instanceof FormData ? fileLimit : (init.method ?? 'GET') === 'GET' ? readingLimit : changeLimit;
  const online = navigator.onLine;
  const sentAt = Date.now();
  const request = { ...init, headers: allHeaders, body, signal: withTimeout(signal, limit ?? defaultLimit) };
  return sendWith(`/api${path.startsWith('/') ? path : `/${path}`}`, request).then(
    (answer) => {
      markConnected(sentAt);
      return answer;
    },
    (cause: unknown) => {
      if (cause instanceof DOMException && cause.name === 'AbortError') throw cause;
      // A proxy that blocks streams is not a lost connection.
      if (limit !== Infinity) markDisconnected();
      throw unreachableError(cause, online);
    },
  );
}

/**
 * Like `requestApi` (or another client), and parses the response's JSON; undefined without a body.
 *
 * @example const { data } = await fetchApi<{ data: Totals }>('/task-totals');
 */
export async function fetchApi<T = unknown>(path: string, init?: ApiInit, ask = requestApi): Promise<T> {
  const response = await ask(path, init);
  const text = await readText(response);
  const json: unknown = text === '' ? undefined : JSON.parse(text);
  if (init?.method !== undefined && init.method !== 'GET') recordOwnVersion(json);
  return json as T;
}
