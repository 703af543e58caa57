/** Something that happened to a record; for `modules`, to a definition. */
export interface LiveEvent {
  resource: string;
  /** Null where many records of the resource changed. */
  id: number | string | null;
  event: string;
}

/**
 * Reads server-sent events out of a body, and calls back for each whose data is JSON; `onSign` is called for whatever
 * arrives, signs of life included. Ends with the body.
 */
export async function readEvents(
  body: ReadableStream<Uint8Array>,
  onEvent: (event: LiveEvent) => void,
  onSign: () => void = () => {},
): Promise<void> {
  const reader = body.pipeThrough(new TextDecoderStream() as TransformStream<Uint8Array, string>).getReader();
  let rest = '';
  for (;;) {
    const { value, done } = await reader.read();
    if (done) return;
    onSign();
    const blocks = (rest + value.replaceAll('\r', '')).split('\n\n');
    rest = blocks.pop()!;
    for (const block of blocks) {
      const data = block
        .split('\n')
        .filter((line) => line.startsWith('data:'))
        .map((line) => line.slice(5).trim())
        .join('\n');
      const event = parse(data);
      if (event) onEvent(event);
    }
  }
}

function parse(text: string): LiveEvent | null {
  try {
    const value = JSON.parse(text) as Partial<LiveEvent> | null;
    return typeof value?.resource === 'string' ? (value as LiveEvent) : null;
  } catch {
    return null;
  }
}
