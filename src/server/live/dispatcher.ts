import { setImmediate as othersFirst } from 'node:timers/promises';
import type { Actor } from '../../engine/access/actor';
import type { LiveEvent, Program } from '../program';
import { Gathered } from './gathered';

/** An open event stream. */
export interface Listener {
  /** The current user, after all pending access checks; undefined after the end. */
  actor(): Promise<Actor | undefined>;
  write(text: string): void;
  /** Ends the stream: the client reconnects and reloads everything. */
  fail(error: Error): void;
}

/** Filters the events that an actor may see; results of queries are cached for other actors. */
export type Visible = (
  actor: Actor,
  events: readonly LiveEvent[],
  asked: Map<string, Promise<ReadonlySet<unknown>>>,
) => Promise<readonly LiveEvent[]>;

/** How long events are collected, in milliseconds, and the maximum if delivery takes long. */
const shortest = 50;
const longest = 2_000;
/** Maximum number of buffered events per resource. */
const mostWaiting = 5_000;
/** Maximum number of single events per resource and stream; more become one event for the whole resource. */
const mostTold = 50;
/** Streams processed before yielding to other work, and streams processed concurrently. */
const inARow = 20;
const atOnce = 4;

/**
 * Delivers events to the open streams in batches: visibility is checked once per actor and batch, and once for all
 * streams with the same rules. Delivery takes at most a third of the time, however many streams there are.
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

/** Formats events; many of one resource become one without an id. */
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
