import type { LiveEvent } from '../program';

/**
 * Events that wait to be passed on: each of a record once, in their order, and of one resource no more than `most`. Of
 * what comes beyond it is only known that something of the resource changed, and of which companies.
 */
export class Gathered {
  private readonly byResource = new Map<string, Map<string, LiveEvent>>();
  private readonly many = new Map<string, LiveEvent>();

  constructor(private readonly most: number) {}

  get isEmpty(): boolean {
    return this.byResource.size === 0 && this.many.size === 0;
  }

  add(event: LiveEvent): void {
    const { resource, id, event: name, site_id, user_id, role_id } = event;
    const known = this.byResource.get(resource) ?? new Map<string, LiveEvent>();
    const whose = `${site_id} ${user_id} ${role_id}`;
    const key = `${id} ${name} ${whose}`;
    if (id === null || (known.size >= this.most && !known.has(key))) {
      this.many.set(`${resource} ${whose}`, { ...event, id: null, event: 'changed' });
      return;
    }
    this.byResource.set(resource, known);
    // What happens again counts as of now.
    known.delete(key);
    known.set(key, event);
  }

  /** All of them; those of one resource follow each other. */
  events(): LiveEvent[] {
    return [...[...this.byResource.values()].flatMap((events) => [...events.values()]), ...this.many.values()];
  }
}
