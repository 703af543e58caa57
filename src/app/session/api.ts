import { endsSession, errorOf, unreachable } from './apiError';
import { checkViewing } from './checkViewing';
import { clearSession, readSession } from './session';
import { leaveToast } from './toastHandover';
import { readViewing, viewAsHeader } from './viewing';

export { ApiError } from './apiError';

export interface ApiInit extends RequestInit {
  /** Sent as the JSON body. Leave it out for multipart bodies and for none. */
  json?: unknown;
  /** Sends no bearer: for the calls that come before sign-in. */
  anonymous?: boolean;
}

const viewAsPath = '/view-as';
const timeZone = () => Intl.DateTimeFormat().resolvedOptions().timeZone || 'UTC';

/**
 * Sends a request to the API with the bearer, the time zone and as whom this tab sees the program, and gives back an answer that is ok.
 * `path` follows `/api`, as in `/login`. Throws `ApiError`, and an `AbortError` as it is. An answer that ends the
 * running session ends it here: the sign-in page follows and shows the message.
 */
export async function requestApi(
  path: string,
  { json, anonymous = false, headers, ...init }: ApiInit = {},
): Promise<Response> {
  const session = anonymous ? null : readSession();
  const viewing = session && readViewing();
  const all = new Headers(headers);
  if (!all.has('Accept')) all.set('Accept', 'application/json');
  all.set('X-Timezone', timeZone());
  if (session) all.set('Authorization', `${session.token_type} ${session.token}`);
  if (viewing && !all.has(viewAsHeader)) all.set(viewAsHeader, viewing.as);
  if (json !== undefined) all.set('Content-Type', 'application/json');

  const response = await fetch(`/api${path.startsWith('/') ? path : `/${path}`}`, {
    ...init,
    headers: all,
    body: json === undefined ? init.body : JSON.stringify(json),
  }).catch((cause: unknown) => {
    if (cause instanceof DOMException && cause.name === 'AbortError') throw cause;
    throw unreachable(cause);
  });
  if (response.ok) return response;

  const error = await errorOf(response);
  if (endsSession(error) && session && readSession()?.token === session.token) {
    leaveToast({ message: error.message, kind: 'error' });
    clearSession();
  }
  if (viewing && path !== viewAsPath) checkViewing(viewing, error, () => requestApi(viewAsPath));
  throw error;
}

/** Like `requestApi`, or another way to ask, and reads the answer's JSON; undefined where there is no body. */
export async function fetchApi<T = unknown>(path: string, init?: ApiInit, ask = requestApi): Promise<T> {
  const response = await ask(path, init);
  const text = await response.text();
  return (text === '' ? undefined : JSON.parse(text)) as T;
}
