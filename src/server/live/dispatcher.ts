import { setImmediate as othersFirst } from 'node:timers/promises';
import type { Actor } from '../../engine/access/actor';
import type { LiveEvent, Program } from '../program';
import { Gathered } from './gathered';

/** An open stream of events. */
export interface Listener {
  /** Who listens, once every change of access so far was looked at; undefined after the end. */
  actor(): Promise<Actor | undefined>;
  write(text: string): void;
  /** Ends the stream: whoever reads it reconnects and refetches everything. */
  fail(error: Error): void;
}

/** Which of the events an actor may hear of; what is asked for them is remembered in `asked` for the others. */
export type Visible = (
  actor: Actor,
  events: readonly LiveEvent[],
  asked: Map<string, Promise<ReadonlySet<unknown>>>,
) => Promise<readonly LiveEvent[]>;

/** Milliseconds for which events are gathered, and at most, where passing them on takes long. */
const shortest = 50;
const longest = 2_000;
/** Events of a resource that wait at most. */
const mostWaiting = 5_000;
/** Events of a resource that one stream is told one by one; more of them become one for the whole resource. */
const mostTold = 50;
/** Streams that are looked at in a row before other work has its turn, and those that ask the database at once. */
const inARow = 20;
const atOnce = 4;

/**
 * Passes events on to the open streams, gathered: what an actor may see of them is asked once for all of them, and once
 * for all streams that the same rules hold for. Passing on takes at most a third of the time, however many there are.
 */
export function openDispatcher(program: Program, visible: Visible): (listener: Listener) => () => void {
  const listeners = new Set<Listener>();
  let unsubscribe: (() => void) | undefined;
  let waiting = new Gathered(mostWaiting);
  let timer: NodeJS.Timeout | undefined;
  let isTelling = false;
  let pause = shortest;

  const schedule = (): void => {
    if (timer === undefined && !isTelling && !waiting.isEmpty) timer = setTimeout(() => void run(), pause);
  };
  const run = async (): Promise<void> => {
    timer = undefined;
    isTelling = true;
    const events = waiting.events();
    waiting = new Gathered(mostWaiting);
    const began = performance.now();
    await tell(events);
    pause = Math.min(Math.max(2 * (performance.now() - began), shortest), longest);
    isTelling = false;
    schedule();
  };

  const tell = async (events: readonly LiveEvent[]): Promise<void> => {
    const asked = new Map<string, Promise<ReadonlySet<unknown>>>();
    const queue = [...listeners].values();
    let looked = 0;
    const work = async (): Promise<void> => {
      for (const listener of queue) {
        try {
          if (++looked % inARow === 0) await othersFirst();
          const actor = await listener.actor();
          const text = actor && textOf(await visible(actor, events, asked));
          if (text) listener.write(text);
        } catch (error) {
          listener.fail(error as Error);
        }
      }
    };
    await Promise.all(Array.from({ length: atOnce }, work));
  };

  return (listener) => {
    listeners.add(listener);
    unsubscribe ??= program.live.subscribe((event) => {
      waiting.add(event);
      schedule();
    });
    return () => {
      listeners.delete(listener);
      if (listeners.size > 0) return;
      unsubscribe?.();
      unsubscribe = undefined;
      clearTimeout(timer);
      timer = undefined;
      waiting = new Gathered(mostWaiting);
    };
  };
}

/** Many events of a resource become one without an id. */
function textOf(events: readonly LiveEvent[]): string {
  const counts = new Map<string, number>();
  for (const { resource } of events) counts.set(resource, (counts.get(resource) ?? 0) + 1);
  const told = new Set<string>();
  const lines: string[] = [];
  for (const { resource, id, event } of events) {
    const many = id === null || counts.get(resource)! > mostTold;
    if (many && told.has(resource)) continue;
    if (many) told.add(resource);
    lines.push(
      `data: ${JSON.stringify(many ? { resource, id: null, event: 'changed' } : { resource, id, event })}\n\n`,
    );
  }
  return lines.join('');
}
