import { createParser } from 'eventsource-parser';

/** A change of a record; for `modules`, of a definition. */
export interface LiveEvent {
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
