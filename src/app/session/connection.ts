import { useSyncExternalStore } from 'react';
import { ApiError } from './apiError';

/** Since when nothing has reached the server, in milliseconds since 1970; null while something does. */
let lostSince: number | null = null;
const listeners = new Set<() => void>();

const set = (since: number | null) => {
  if (since === lostSince) return;
  lostSince = since;
  listeners.forEach((listener) => listener());
};

/** Notes that the server answered, whatever it was. */
export function noteAnswer(): void {
  set(null);
}

/** Notes that a request did not get through. */
export function noteLost(): void {
  set(lostSince ?? Date.now());
}

function subscribe(listener: () => void): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}

if (typeof window !== 'undefined') {
  // A server on the same machine is there without any network.
  window.addEventListener('offline', () => void fetch('/api/health/live').then(noteAnswer, noteLost));
}

/** Since when the connection is lost, in milliseconds since 1970; null while there is one, as far as is known. */
export function useLostConnection(): number | null {
  return useSyncExternalStore(subscribe, () => lostSince);
}

const waiting = new Set<() => void>();

/** Has whatever waits for the connection try at once. */
export function tryNow(): void {
  [...waiting].forEach((end) => end());
}

/**
 * Ends once the connection may be back: something else got an answer, the browser or a person says so, or `wait`
 * milliseconds have passed. Ends with `signal`, too.
 */
export function mayBeBack(wait: number, signal: AbortSignal): Promise<void> {
  return new Promise((done) => {
    const end = () => {
      clearTimeout(timer);
      waiting.delete(end);
      stopListening();
      window.removeEventListener('online', end);
      signal.removeEventListener('abort', end);
      done();
    };
    const timer = setTimeout(end, wait);
    const stopListening = subscribe(() => lostSince === null && end());
    waiting.add(end);
    window.addEventListener('online', end);
    signal.addEventListener('abort', end);
    if (signal.aborted) end();
  });
}

/** What is said while something waits for the connection, to be sent then. */
export const savedWhenBack = 'No connection. Your changes are kept; saving again when it is back.';

/** Whether a call failed because no answer came: it never left, or nobody knows what became of it. */
export function isWithoutAnswer(error: unknown): error is ApiError {
  return error instanceof ApiError && error.status === 0;
}

/** Whether a call failed before it left, so that it certainly changed nothing. */
export function neverLeft(error: unknown): boolean {
  return isWithoutAnswer(error) && error.code === 'NOT_SENT';
}

/** Whether the server is still at what was sent before, under the same key. */
function isUnderWay(error: unknown): boolean {
  return error instanceof ApiError && error.status === 409 && error.code === 'CONFLICT';
}

const [firstWait, longestWait] = [2000, 30_000];
/** How often a call that is under way is asked for. */
const mostAsked = 5;

/**
 * Sends until an answer comes, and calls `onLost` with the failure before each wait for the connection. Gives up, with
 * the last failure, once `signal` says so. `send` is called each time: it sends the same call under the same key,
 * or throws.
 */
export async function sendUntilAnswered<T>(
  send: () => Promise<T>,
  onLost: (failure: ApiError) => void,
  signal: AbortSignal,
): Promise<T> {
  let asked = Infinity;
  for (let wait = firstWait; ; wait = Math.min(wait * 2, longestWait)) {
    try {
      return await send();
    } catch (error) {
      if (isWithoutAnswer(error)) {
        asked = 0;
        onLost(error);
      } else if (!isUnderWay(error) || ++asked > mostAsked) throw error;
      if (signal.aborted) throw error;
      await mayBeBack(wait, signal);
      if (signal.aborted) throw error;
    }
  }
}
