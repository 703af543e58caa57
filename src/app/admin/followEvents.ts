import { ApiError, requestApi } from '../session/api';
import { readEvents, type LiveEvent } from './eventStream';

interface Followers {
  onEvent: (event: LiveEvent) => void;
  /** Events may have been missed: the connection was lost, or there is none and this much time has passed. */
  onMissed: () => void;
}

const longest = 30_000;
/** The server gives a sign of life every 20 s. Whoever hears nothing for this long has no stream. */
const silence = 45_000;

/**
 * Listens to the server's events with the bearer, and connects again when the stream ends: after one second, then later
 * and later, at most every 30 s. While there is no stream, or one that brings nothing, this is a poll of `onMissed`.
 * Returns the way out.
 */
export function followEvents({ onEvent, onMissed }: Followers): () => void {
  const stop = new AbortController();
  let line = new AbortController();
  let heard = Date.now();
  const sign = () => {
    heard = Date.now();
  };
  const watch = setInterval(() => {
    if (Date.now() - heard < silence) return;
    onMissed();
    line.abort();
  }, longest);
  void follow();
  return () => {
    clearInterval(watch);
    stop.abort();
    line.abort();
  };

  async function follow() {
    let wait = 1000;
    while (!stop.signal.aborted) {
      line = new AbortController();
      try {
        const response = await requestApi('/events', { headers: { Accept: 'text/event-stream' }, signal: line.signal });
        sign();
        if (wait > 1000) onMissed();
        wait = 1000;
        if (response.body) await readEvents(response.body, onEvent, sign);
      } catch (error) {
        if (stop.signal.aborted || (error instanceof ApiError && error.status === 401)) return;
        wait = Math.min(wait * 2, longest);
      }
      await pause(wait);
      if (!stop.signal.aborted) onMissed();
    }
  }

  function pause(milliseconds: number): Promise<void> {
    return new Promise((done) => {
      const timer = setTimeout(done, milliseconds);
      stop.signal.addEventListener('abort', () => {
        clearTimeout(timer);
        done();
      });
    });
  }
}
