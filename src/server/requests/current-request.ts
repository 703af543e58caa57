import { AsyncLocalStorage } from 'node:async_hooks';

/** What is known of the request that is being answered. */
export interface CurrentRequest {
  /** Accepted from `X-Request-Id` or made here; it is in the answer, in every line of the log and in the security log. */
  readonly id: string;
  readonly method: string;
  /** As it was sent, secrets included: `addressWithoutSecrets` is what may be written down. */
  readonly url: string;
  /** Of the client, as far as proxies are trusted to name it. */
  readonly address: string;
  readonly agent: string | null;
  /** The signed-in person, once they are known; whoever views as another is themselves here. */
  userId?: number;
  /** Their company; null: none. */
  siteId?: number | null;
  /** Answered: what goes on in its name (a connection it opened, a timer it started) is no part of it any more. */
  over?: boolean;
}

const storage = new AsyncLocalStorage<CurrentRequest>();

/** Runs a call as a part of a request: whatever it starts, awaited or not, finds the request by `currentRequest`. */
export function withinRequest<T>(request: CurrentRequest, run: () => T): T {
  return storage.run(request, run);
}

/** The request that the caller is a part of; undefined for timers, jobs and the start. */
export function currentRequest(): CurrentRequest | undefined {
  return storage.getStore();
}

/** The id of the request that the caller is a part of. */
export function requestIdOf(): string | undefined {
  return storage.getStore()?.id;
}

/** Remembers who sent the current request, for the log. */
export function noteUser(userId: number, siteId: number | null): void {
  const request = storage.getStore();
  if (request) Object.assign(request, { userId, siteId });
}
