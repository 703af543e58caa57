import { randomUUID } from 'node:crypto';
import type { Logger } from 'pino';
import type { Database } from '../database/database';
import { anyResource, type LiveEvent, type LiveHub } from './live-hub';
import { EventBuffer } from './event-buffer';

const CHANNEL = 'assay_live';
/** How long events are collected before other processes are notified, in milliseconds. */
const COLLECT_DELAY = 25;
/** Milliseconds until a failed notification is retried. */
const RETRY_DELAY = 1_000;
/** Maximum number of single events per resource that are sent to other processes in that time. */
const MAX_SINGLE_EVENTS = 2_000;
/** PostgreSQL notifications are limited to 8,000 bytes. */
const MAX_PAYLOAD_BYTES = 7_000;

const reloadEvent: LiveEvent = { resource: anyResource, id: 0, event: 'changed' };

/** Opens the hub: listeners in this process receive events at once, those in other processes a moment later. */
export async function openLiveHub(database: Database, log: Logger): Promise<LiveHub> {
  const origin = randomUUID();
  const listeners = new Set<(event: LiveEvent) => void>();
  let bufferedEvents = new EventBuffer(MAX_SINGLE_EVENTS);
  let isClosed = false;
  let timer: NodeJS.Timeout | undefined;
  let sendChain: Promise<void> = Promise.resolve();

  const notifyListeners = (event: LiveEvent): void => {
    for (const listener of listeners) listener(event);
  };

  const stop = await database.listen(CHANNEL, (payload) => {
    if (payload === null) return notifyListeners(reloadEvent);
    const { from: sender, events } = JSON.parse(payload) as { from: string; events: LiveEvent[] };
    if (sender !== origin) events.forEach(notifyListeners);
  });

  const send = (): void => {
    clearTimeout(timer);
    timer = undefined;
    const events = bufferedEvents.events();
    bufferedEvents = new EventBuffer(MAX_SINGLE_EVENTS);
    sendChain = sendChain
      .then(async () => {
        for (const part of splitBySize(events)) {
          await database.notify(CHANNEL, JSON.stringify({ from: origin, events: part }));
        }
      })
      .catch((error: Error) => {
        log.warn(`Other servers could not be notified of changes: ${error.message}`);
        // That something changed matters more than what.
        if (isClosed) return;
        bufferedEvents = new EventBuffer(MAX_SINGLE_EVENTS);
        bufferedEvents.add(reloadEvent);
        timer ??= setTimeout(send, RETRY_DELAY);
      });
  };

  const publishNow = (event: LiveEvent): void => {
    notifyListeners(event);
    bufferedEvents.add(event);
    timer ??= setTimeout(send, COLLECT_DELAY);
  };

  return {
    publishLocally: notifyListeners,
    publish: (event, trx) => (trx ? database.afterCommit(trx, () => publishNow(event)) : publishNow(event)),
    subscribe(listener) {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
    async close() {
      isClosed = true;
      send();
      await sendChain;
      listeners.clear();
      await stop();
    },
  };
}

function* splitBySize(events: readonly LiveEvent[]): Generator<LiveEvent[]> {
  let part: LiveEvent[] = [];
  let size = 0;
  for (const event of events) {
    const length = Buffer.byteLength(JSON.stringify(event)) + 1;
    if (size + length > MAX_PAYLOAD_BYTES) {
      yield part;
      [part, size] = [[], 0];
    }
    part.push(event);
    size += length;
  }
  if (part.length > 0) yield part;
}
