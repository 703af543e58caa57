import { ApiError, requestApi } from '../session/api';
import { mayBeBack } from '../session/connection';
import { onSessionChange, readSession } from '../session/session';
import { readEvents, type LiveEvent } from './eventStream';

interface Followers {
  onEvent: (event: LiveEvent) => void;
  /** Events may have been missed: the connection was lost, or there is none and this much time has passed. */
  onMissed: () => void;
}

const longest = 30_000;
/** The server gives a sign of life every 20 s. Whoever hears nothing for this long has no stream. */
const silence = 45_000;

/** One way to the server: the stream that it has now, and the way that it takes the place of. */
interface Line {
  readonly token: string | undefined;
  readonly end: AbortController;
  stream: AbortController;
}

/**
 * Listens to the server's events with the bearer, and connects again when the stream ends: after one second, then later
 * and later, at most every 30 s. While there is no stream, or one that brings nothing, this is a poll of `onMissed`. A
 * stream ends with its token: when there is a new one, another stream is open before the former is closed.
 * Returns the way out.
 */
export function followEvents({ onEvent, onMissed }: Followers): () => void {
  let heard = Date.now();
  let line = start();
  const sign = () => {
    heard = Date.now();
  };
  const watch = setInterval(() => {
    if (Date.now() - heard < silence) return;
    onMissed();
    line.stream.abort();
  }, longest);
  const unfollow = onSessionChange(() => {
    const token = readSession()?.token;
    if (token !== undefined && token !== line.token) line = start(line);
  });
  return () => {
    clearInterval(watch);
    unfollow();
    line.end.abort();
  };

  function start(former?: Line): Line {
    const started = { token: readSession()?.token, end: new AbortController(), stream: new AbortController() };
    void follow(started, former);
    return started;
  }

  async function follow(own: Line, former: Line | undefined) {
    const { signal } = own.end;
    // One that has ended is let go of: tokens are renewed for as long as a tab is open.
    const endFormer = () => {
      former?.end.abort();
      former = undefined;
    };
    const end = () => {
      own.stream.abort();
      endFormer();
    };
    signal.addEventListener('abort', end, { once: true });
    let wait = 1000;
    while (!signal.aborted) {
      own.stream = new AbortController();
      try {
        const headers = { Accept: 'text/event-stream' };
        const response = await requestApi('/events', { headers, signal: own.stream.signal, limit: Infinity });
        endFormer();
        sign();
        if (wait > 1000) onMissed();
        wait = 1000;
        if (response.body) await readEvents(response.body, onEvent, sign);
      } catch (error) {
        if (signal.aborted || (error instanceof ApiError && error.status === 401)) return;
        wait = Math.min(wait * 2, longest);
      }
      await mayBeBack(wait, signal);
      if (!signal.aborted) onMissed();
    }
  }
}
