import type { LiveEvent } from './live-hub';

/**
 * A buffer of events: each record's events once, in order, and at most `maxEvents` per resource. Beyond that it only
 * records that something in the resource changed, and in which companies.
 */
export class EventBuffer {
  private readonly byResource = new Map<string, Map<string, LiveEvent>>();
  private readonly resourceEvents = new Map<string, LiveEvent>();

  constructor(private readonly maxEvents: number) {}

  get isEmpty(): boolean {
    return this.byResource.size === 0 && this.resourceEvents.size === 0;
  }

  add(event: LiveEvent): void {
    const {
      resource,
      id,
      event: name,
      site_id,
      user_id,
      role_id,
      former: formerAudience,
      except: ignoredStream,
      internal,
    } = event;
    const eventsByKey = this.byResource.get(resource) ?? new Map<string, LiveEvent>();
    const audienceKey = `${site_id} ${user_id} ${role_id} ${internal}`;
    const key = `${id} ${name} ${audienceKey} ${ignoredStream} ${formerAudience && JSON.stringify(formerAudience)}`;
    if (id === null || (eventsByKey.size >= this.maxEvents && !eventsByKey.has(key))) {
      this.resourceEvents.set(`${resource} ${audienceKey}`, {
        ...event,
        ...{ id: null, event: 'changed', former: undefined, except: undefined },
      });
      return;
    }
    this.byResource.set(resource, eventsByKey);
    // A repeated event moves to the end.
    eventsByKey.delete(key);
    eventsByKey.set(key, event);
  }

  /** All events, grouped by resource. */
  events(): LiveEvent[] {
    return [
      ...[...this.byResource.values()].flatMap((events) => [...events.values()]),
      ...this.resourceEvents.values(),
    ];
  }
}
