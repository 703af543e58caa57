import { setImmediate as othersFirst } from 'node:timers/promises';
import type { Actor } from '../../engine/access/actor';
import type { Program } from '../program';
import type { LiveEvent } from '../live/live-hub';
import { EventBuffer } from '../live/event-buffer';
import { getOrThrow } from '../../engine/values/lookups';

/** An open event stream. */
export interface Listener {
  /** As its window knows it. */
  readonly name: string;
  /** The current user, after all pending access checks; undefined after the end. */
  actor(): Promise<Actor | undefined>;
  write(text: string): void;
  /** Ends the stream: the client reconnects and reloads everything. */
  fail(error: Error): void;
}

/** Filters the events that an actor may see; results of queries are cached for other actors. */
export type FilterVisible = (
  actor: Actor,
  events: readonly LiveEvent[],
  asked: Map<string, Promise<ReadonlySet<unknown>>>,
) => Promise<readonly LiveEvent[]>;

/** How long events are collected, in milliseconds, and the maximum if delivery takes long. */
const minDelay = 50;
const maxDelay = 2_000;
/** Maximum number of buffered events per resource. */
const maxBuffered = 5_000;
/** Maximum number of single events per resource and stream; more become one event for the whole resource. */
const maxSingleEvents = 50;
/** Streams processed before yielding to other work, and streams processed concurrently. */
const yieldEvery = 20;
const concurrency = 4;

/**
 * Delivers events to the open streams in batches: visibility is checked once per actor and batch, and once for all
 * streams with the same rules. Delivery takes at most a third of the time, however many streams there are.
 */
export function createDispatcher(program: Program, visible: FilterVisible): (listener: Listener) => () => void {
  const listeners = new Set<Listener>();
  let unsubscribe: (() => void) | undefined;
  let bufferedEvents = new EventBuffer(maxBuffered);
  let timer: NodeJS.Timeout | undefined;
  let isDelivering = false;
  let pause = minDelay;

  const schedule = (): void => {
    if (timer === undefined && !isDelivering && !bufferedEvents.isEmpty) timer = setTimeout(() => void run(), pause);
  };
  const run = async (): Promise<void> => {
    timer = undefined;
    isDelivering = true;
    const events = bufferedEvents.events();
    bufferedEvents = new EventBuffer(maxBuffered);
    const began = performance.now();
    await deliver(events);
    pause = Math.min(Math.max(2 * (performance.now() - began), minDelay), maxDelay);
    isDelivering = false;
    schedule();
  };

  const deliver = async (events: readonly LiveEvent[]): Promise<void> => {
    const queryCache = new Map<string, Promise<ReadonlySet<unknown>>>();
    const queue = [...listeners].values();
    let looked = 0;
    const work = async (): Promise<void> => {
      for (const listener of queue) {
        try {
          if (++looked % yieldEvery === 0) await othersFirst();
          const actor = await listener.actor();
          const text = actor && formatEvents(othersThan(listener, await visible(actor, events, queryCache)));
          if (text) listener.write(text);
        } catch (error) {
          listener.fail(error as Error);
        }
      }
    };
    await Promise.all(Array.from({ length: concurrency }, work));
  };

  return (listener) => {
    listeners.add(listener);
    unsubscribe ??= program.live.subscribe((event) => {
      bufferedEvents.add(event);
      schedule();
    });
    return () => {
      listeners.delete(listener);
      if (listeners.size > 0) return;
      unsubscribe?.();
      unsubscribe = undefined;
      clearTimeout(timer);
      timer = undefined;
      bufferedEvents = new EventBuffer(maxBuffered);
    };
  };
}

/** Without the events of changes that the listener's own window made. */
function othersThan({ name }: Listener, events: readonly LiveEvent[]): readonly LiveEvent[] {
  return events.filter(({ except: ignoredStream }) => ignoredStream !== name);
}

/** Formats events; many of one resource become one without an id. */
function formatEvents(events: readonly LiveEvent[]): string {
  const counts = new Map<string, number>();
  for (const { resource } of events) counts.set(resource, (counts.get(resource) ?? 0) + 1);
  const toldResources = new Set<string>();
  const lines: string[] = [];
  for (const { resource, id, event } of events) {
    const isMany = id === null || getOrThrow(counts, resource) > maxSingleEvents;
    if (isMany && toldResources.has(resource)) continue;
    if (isMany) toldResources.add(resource);
    lines.push(
      `data: ${JSON.stringify(isMany ? { resource, id: null, event: 'changed' } : { resource, id, event })}\n\n`,
    );
  }
  return lines.join('');
}
