import { ApiError, requestApi } from '../session/api';
import { waitForConnection } from '../session/connection';
import { freshSession } from '../session/renewal';
import { onSessionChange, readSession } from '../session/session';
import { endedStream, openedStream } from './streamName';
import { createParser } from 'eventsource-parser';

interface EventHandlers {
  onEvent: (event: LiveEvent) => void;
  /** Events may have been missed: the connection was lost, or there is none and the poll interval has passed. */
  onMissed: () => void;
}

const maxRetryDelay = 30_000;
/** The server sends a heartbeat every 20 s. After this long without one the stream counts as dead. */
const silenceLimit = 45_000;

/** A connection to the server: the token that its current stream is opened with, the stream, and how to end both. */
interface Connection {
  readonly end: AbortController;
  /** Undefined until it is known: a token that has expired is renewed first. */
  token: string | undefined;
  stream: AbortController;
}

/**
 * Subscribes to the server's events and reconnects when the stream ends: after one second, then with growing delays of
 * at most 30 s. Without a working stream this polls through `onMissed`. A stream ends with its token: after a renewal
 * another stream opens before the previous one closes. Returns a function that stops it.
 */
export function subscribeToEvents({ onEvent, onMissed }: EventHandlers): () => void {
  let lastActivity = Date.now();
  let connection = start();
  const markActivity = () => {
    lastActivity = Date.now();
  };
  const watch = setInterval(() => {
    if (Date.now() - lastActivity < silenceLimit) return;
    onMissed();
    connection.stream.abort();
  }, maxRetryDelay);
  const unfollow = onSessionChange(() => {
    const token = readSession()?.token;
    const isOther = token !== undefined && connection.token !== undefined && token !== connection.token;
    if (isOther) connection = start(connection);
  });
  return () => {
    clearInterval(watch);
    unfollow();
    connection.end.abort();
  };

  function start(previous?: Connection): Connection {
    const newConnection: Connection = { token: undefined, end: new AbortController(), stream: new AbortController() };
    void follow(newConnection, previous);
    return newConnection;
  }

  async function follow(current: Connection, previous: Connection | undefined) {
    const { signal } = current.end;
    // Drop the reference to the ended one: tokens are renewed for as long as a tab is open.
    const endPrevious = () => {
      previous?.end.abort();
      previous = undefined;
    };
    const end = () => {
      current.stream.abort();
      endPrevious();
    };
    signal.addEventListener('abort', end, { once: true });
    let wait = 1000;
    while (!signal.aborted) {
      current.stream = new AbortController();
      let name: string | undefined;
      try {
        current.token = undefined;
        // A sign-in that has ended is reported by the request.
        current.token = (await freshSession().catch(readSession))?.token;
        const headers = { Accept: 'text/event-stream' };
        const response = await requestApi('/events', { headers, signal: current.stream.signal, limit: Infinity });
        endPrevious();
        markActivity();
        name = response.headers.get('X-Stream') ?? undefined;
        openedStream(name);
        if (wait > 1000) onMissed();
        wait = 1000;
        if (response.body) await readEvents(response.body, onEvent, markActivity);
      } catch (error) {
        if (signal.aborted || (error instanceof ApiError && error.status === 401)) return;
        wait = Math.min(wait * 2, maxRetryDelay);
      }
      endedStream(name);
      await waitForConnection(wait, signal);
      if (!signal.aborted) onMissed();
    }
  }
}

/** A change of a record; for `modules`, of a definition. */
interface LiveEvent {
  resource: string;
  /** Null if many records of the resource changed. */
  id: number | string | null;
  event: string;
}

/**
 * Reads server-sent events from a body and calls `onEvent` for each whose data is JSON; `onSign` is called for whatever
 * arrives, heartbeats included. Resolves when the body ends.
 */
export async function readEvents(
  body: ReadableStream<Uint8Array>,
  onEvent: (event: LiveEvent) => void,
  onSign: () => void = () => {},
): Promise<void> {
  const parser = createParser({
    onEvent: ({ data }) => {
      const event = parseEvent(data);
      if (event) onEvent(event);
    },
  });
  const reader = body.pipeThrough(new TextDecoderStream() as TransformStream<Uint8Array, string>).getReader();
  for (;;) {
    const { value, done: isDone } = await reader.read();
    if (isDone) return;
    onSign();
    parser.feed(value);
  }
}

function parseEvent(text: string): LiveEvent | null {
  try {
    const value = JSON.parse(text) as Partial<LiveEvent> | null;
    return typeof value?.resource === 'string' ? (value as LiveEvent) : null;
  } catch {
    return null;
  }
}
