import { AsyncLocalStorage } from 'node:async_hooks';

/** The work of somebody's calls in milliseconds, of which less counts the longer it is past. */
export interface WorkAccount {
  work: number;
  /** When it was counted, by `performance.now()`. */
  at: number;
}

/** The request that is being handled. */
export interface CurrentRequest {
  /** Taken from `X-Request-Id` or generated; it is in the response, in every log line and in the security log. */
  readonly id: string;
  readonly method: string;
  /** As sent, secrets included: redact it before logging. */
  readonly url: string;
  /** IP address of the client, as far as proxies are trusted to report it. */
  readonly address: string;
  readonly agent: string | null;
  /** The signed-in user, once known; when viewing as another user, still the real one. */
  userId?: number;
  /** The user's company; null: none. */
  siteId?: number | null;
  /** Counts the work of their calls. */
  account?: WorkAccount;
  /** It changes nothing and its caller is known: what it reads may come from a replica. */
  isReading?: boolean;
  /**
   * The response has ended: what still runs in its context (a connection or timer it started) is no longer part of it.
   */
  hasEnded?: boolean;
}

const storage = new AsyncLocalStorage<CurrentRequest>();

/**
 * Runs a function in the context of a request: everything it starts, awaited or not, finds the request by
 * `currentRequest`.
 */
export function runInRequest<T>(request: CurrentRequest, run: () => T): T {
  return storage.run(request, run);
}

/** The request in whose context the caller runs; undefined in timers, jobs and at startup. */
export function currentRequest(): CurrentRequest | undefined {
  return storage.getStore();
}

/** Records the user of the current request, for the log. */
export function setRequestUser(userId: number, siteId: number | null): void {
  const request = storage.getStore();
  if (request) Object.assign(request, { userId, siteId });
}
