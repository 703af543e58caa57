import { get } from 'node:http';
import { createParser } from 'eventsource-parser';
import type { StepContext } from './step';

/** An open event stream and its events. */
export interface EventStream {
  /** 200, or the status of the refusal. */
  readonly status: number;
  readonly retryAfter: string | undefined;
  /** The number of events of a resource; `*` means to read everything again. */
  count(resource: string): number;
  close(): void;
}

/** Opens a stream on its own connection. Throws if the connection breaks before the response. */
export function openEventStream(context: StepContext, address: string, token: string): Promise<EventStream> {
  return new Promise((resolve, fail) => {
    const clientRequest = get(`${address}/api/events`, { agent: false, headers: { authorization: `Bearer ${token}` } });
    context.addCleanup(() => clientRequest.destroy());
    clientRequest.on('error', fail);
    clientRequest.once('response', (answer) => {
      const counts = new Map<string, number>();
      const parser = createParser({
        onEvent: ({ data }) => {
          const { resource } = JSON.parse(data) as { resource: string };
          counts.set(resource, (counts.get(resource) ?? 0) + 1);
        },
      });
      answer.on('error', () => undefined);
      answer.setEncoding('utf8').on('data', (part: string) => parser.feed(part));
      resolve({
        status: answer.statusCode!,
        retryAfter: answer.headers['retry-after'],
        count: (resource) => counts.get(resource) ?? 0,
        close: () => clientRequest.destroy(),
      });
    });
  });
}
