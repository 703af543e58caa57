import type { Actor } from '../../engine/access/actor';
import type { Surroundings } from '../../engine/conditions/variables';
import type { Registry } from '../../engine/definitions/registry';
import type { Program } from '../program';
import { dayOf } from './clock';

const nothing: ReadonlySet<string> = new Set();

/** Who asks, when, and by which definitions: one a request, so that a request keeps what it began with. */
export class RequestContext {
  readonly program: Program;
  readonly registry: Registry;
  readonly actor: Actor;
  /** IANA name of the caller's zone. */
  readonly timeZone: string;
  /** The instant of the request, ISO 8601 in UTC. */
  readonly now = new Date().toISOString();
  /** The same request as it would be the viewer's own, where somebody views as another. */
  readonly viewer?: RequestContext;
  /** Fields whose new value is proved already, such as an address by the code that was sent to it. */
  readonly proven: ReadonlySet<string>;
  private day?: string;

  constructor(program: Program, actor: Actor, timeZone = 'UTC', proven: ReadonlySet<string> = nothing) {
    this.proven = proven;
    if (actor.viewer) this.viewer = new RequestContext(program, actor.viewer, timeZone);
    this.program = program;
    this.registry = program.definitions.registry();
    this.actor = actor;
    this.timeZone = timeZone;
  }

  /** The caller's day, YYYY-MM-DD. */
  get today(): string {
    return (this.day ??= dayOf(this.now, this.timeZone));
  }

  /** What the variables of conditions stand for. */
  get surroundings(): Surroundings {
    return { actor: this.actor, today: this.today, now: this.now };
  }
}
