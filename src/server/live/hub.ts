import { randomUUID } from 'node:crypto';
import type { Logger } from 'pino';
import type { Database } from '../database/database';
import { everything, type LiveEvent, type LiveHub } from '../program';
import { Gathered } from './gathered';

const CHANNEL = 'assay_live';
/** How long events are collected before other processes are notified, in milliseconds. */
const GATHER = 25;
/** Milliseconds until a failed notification is retried. */
const RETRY = 1_000;
/** Maximum number of single events per resource that are sent to other processes in that time. */
const MOST = 2_000;
/** PostgreSQL notifications are limited to 8,000 bytes. */
const LARGEST = 7_000;

const readEverything: LiveEvent = { resource: everything, id: 0, event: 'changed' };

/** Opens the hub: listeners in this process receive events at once, those in other processes a moment later. */
export async function openLiveHub(database: Database, log: Logger): Promise<LiveHub> {
  const origin = randomUUID();
  const listeners = new Set<(event: LiveEvent) => void>();
  let waiting = new Gathered(MOST);
  let closed = false;
  let timer: NodeJS.Timeout | undefined;
  let sending: Promise<void> = Promise.resolve();

  const tell = (event: LiveEvent): void => {
    for (const listener of listeners) listener(event);
  };

  const stop = await database.listen(CHANNEL, (payload) => {
    if (payload === null) return tell(readEverything);
    const { from, events } = JSON.parse(payload) as { from: string; events: LiveEvent[] };
    if (from !== origin) events.forEach(tell);
  });

  const send = (): void => {
    clearTimeout(timer);
    timer = undefined;
    const events = waiting.events();
    waiting = new Gathered(MOST);
    sending = sending
      .then(async () => {
        for (const part of parts(events)) {
          await database.notify(CHANNEL, JSON.stringify({ from: origin, events: part }));
        }
      })
      .catch((error: Error) => {
        log.warn(`Other servers could not be notified of changes: ${error.message}`);
        // That something changed matters more than what.
        if (closed) return;
        waiting = new Gathered(MOST);
        waiting.add(readEverything);
        timer ??= setTimeout(send, RETRY);
      });
  };

  const now = (event: LiveEvent): void => {
    tell(event);
    waiting.add(event);
    timer ??= setTimeout(send, GATHER);
  };

  return {
    tell,
    publish: (event, trx) => (trx ? database.afterCommit(trx, () => now(event)) : now(event)),
    subscribe(listener) {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
    async close() {
      closed = true;
      send();
      await sending;
      listeners.clear();
      await stop();
    },
  };
}

function* parts(events: readonly LiveEvent[]): Generator<LiveEvent[]> {
  let part: LiveEvent[] = [];
  let size = 0;
  for (const event of events) {
    const length = Buffer.byteLength(JSON.stringify(event)) + 1;
    if (size + length > LARGEST) {
      yield part;
      [part, size] = [[], 0];
    }
    part.push(event);
    size += length;
  }
  if (part.length > 0) yield part;
}
