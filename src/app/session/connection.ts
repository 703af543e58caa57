import { useEffect, useEffectEvent, useRef, useSyncExternalStore } from 'react';
import { ApiError } from './apiError';

/** When the connection was lost, in milliseconds since 1970; null while there is one. */
let lostSince: number | null = null;
const listeners = new Set<() => void>();

const set = (lostAt: number | null) => {
  if (lostAt === lostSince) return;
  lostSince = lostAt;
  listeners.forEach((listener) => listener());
};

/**
 * Records that the server responded, with whatever status. The late answer to a request of before the connection was lost
 * does not say that it is back: that is asked then.
 *
 * @param sentAt When the request was sent, in milliseconds since 1970. Default: after the loss.
 */
export function markConnected(sentAt = Infinity): void {
  if (lostSince !== null && sentAt < lostSince) void askServer().catch(() => undefined);
  else set(null);
}

const askServer = () => fetch('/api/health/live').then(() => set(null));

/** Records that a request did not reach the server. */
export function markDisconnected(): void {
  set(lostSince ?? Date.now());
}

function subscribe(listener: () => void): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}

if (typeof window !== 'undefined') {
  // A local server is reachable without a network.
  window.addEventListener('offline', () => void askServer().catch(markDisconnected));
}

/**
 * When the connection was lost, in milliseconds since 1970; null while there is one, as far as is known.
 *
 * @example const lostAt = useLostConnection(); // 1795374000000, or null
 */
export function useLostConnection(): number | null {
  return useSyncExternalStore(subscribe, () => lostSince);
}

/** When the connection was lost, as `useLostConnection` has it. */
export const lostConnectionSince = () => lostSince;

/**
 * Calls back when a lost connection is there again.
 *
 * @example useReconnection(() => void refetch());
 */
export function useReconnection(onBack: () => void): void {
  const isLost = useLostConnection() !== null;
  const wasLost = useRef(isLost);
  const call = useEffectEvent(onBack);
  useEffect(() => {
    if (wasLost.current && !isLost) call();
    wasLost.current = isLost;
  }, [isLost]);
}

const waiters = new Set<() => void>();

/** Makes everything that waits for the connection retry at once. */
export function retryNow(): void {
  [...waiters].forEach((end) => end());
}

/**
 * Resolves when the connection may be back: another request got a response, the browser reports it, the user retries,
 * or `wait` milliseconds have passed. Also resolves when `signal` aborts.
 *
 * @example while (!(await trySending())) await waitForConnection(3000, signal);
 */
export function waitForConnection(wait: number, signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    const end = () => {
      clearTimeout(timer);
      waiters.delete(end);
      stopListening();
      window.removeEventListener('online', end);
      signal.removeEventListener('abort', end);
      resolve();
    };
    const timer = setTimeout(end, wait);
    const stopListening = subscribe(() => lostSince === null && end());
    waiters.add(end);
    window.addEventListener('online', end);
    signal.addEventListener('abort', end);
    if (signal.aborted) end();
  });
}

/** The message while changes wait for the connection. */
export const offlineSaveMessage = 'No connection. Your changes are kept; saving again when it is back.';

/** Whether a request failed without a response: it was not sent, or its outcome is unknown. */
export function hasNoResponse(error: unknown): error is ApiError {
  return error instanceof ApiError && error.status === 0;
}

/** Whether a request failed before it was sent, so that it certainly changed nothing. */
export function wasNotSent(error: unknown): boolean {
  return hasNoResponse(error) && error.code === 'NOT_SENT';
}

/** Whether the server is still processing an earlier request with the same key. */
function isInProgress(error: unknown): boolean {
  return error instanceof ApiError && error.status === 409 && error.code === 'CONFLICT';
}

/** A change that is sent again when the connection is back. */
export interface WaitingChange {
  /** The subject of the change: `Status of Login fails`. */
  readonly label: string;
  /** Gives it up, and says or shows what is so again. */
  readonly discard: () => void;
}

let waitingChanges: readonly WaitingChange[] = [];
const changeListeners = new Set<() => void>();

const setWaitingChanges = (changes: readonly WaitingChange[]) => {
  waitingChanges = changes;
  changeListeners.forEach((listener) => listener());
};

function subscribeToChanges(listener: () => void): () => void {
  changeListeners.add(listener);
  return () => changeListeners.delete(listener);
}

/**
 * The changes that wait for the connection, the oldest first.
 *
 * @example const waiting = useWaitingChanges(); // [{ label: 'Status of Login fails', discard }]
 */
export function useWaitingChanges(): readonly WaitingChange[] {
  return useSyncExternalStore(subscribeToChanges, () => waitingChanges);
}

const [firstDelay, maxDelay] = [2000, 30_000];
/** How often to retry while the server is still processing. */
const maxPolls = 5;

/**
 * Sends until there is a response, and calls `onLost` with the error before each wait for the connection. When `signal`
 * aborts it gives up with the last error. `send` must send the same request with the same key each time, or throw. While it
 * waits, `change` is listed in the bar of the lost connection.
 *
 * @example const stored = await sendWithRetry(() => save(record, key), showOffline, signal);
 */
export async function sendWithRetry<T>(
  send: () => Promise<T>,
  onLost: (failure: ApiError) => void,
  signal: AbortSignal,
  change?: WaitingChange,
): Promise<T> {
  let polls = Infinity;
  try {
    for (let wait = firstDelay; ; wait = Math.min(wait * 2, maxDelay)) {
      try {
        return await send();
      } catch (error) {
        if (hasNoResponse(error)) {
          polls = 0;
          onLost(error);
        } else if (!isInProgress(error) || ++polls > maxPolls) throw error;
        if (signal.aborted) throw error;
        if (change && !waitingChanges.includes(change)) setWaitingChanges([...waitingChanges, change]);
        await waitForConnection(wait, signal);
        if (signal.aborted) throw error;
      }
    }
  } finally {
    if (change) setWaitingChanges(waitingChanges.filter((candidate) => candidate !== change));
  }
}
