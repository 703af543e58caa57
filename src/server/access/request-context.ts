import type { Actor } from '../../engine/access/actor';
import type { EvaluationContext } from '../../engine/conditions/variables';
import type { Registry } from '../../engine/definitions/registry';
import type { Program } from '../program';
import { dayOf } from './clock';

const noFields: ReadonlySet<string> = new Set();

/**
 * The caller, time and definitions of one request. Created once per request, so that these stay the same until it ends.
 */
export class RequestContext {
  readonly program: Program;
  readonly registry: Registry;
  readonly actor: Actor;
  /** IANA name of the caller's time zone. */
  readonly timeZone: string;
  /** The time of the request, ISO 8601 in UTC. */
  readonly now = new Date().toISOString();
  /** When viewing as another user: the same request with the viewer's own permissions. */
  readonly viewer?: RequestContext;
  /** Fields whose new value is already verified, such as an email address confirmed by a code. */
  readonly verifiedFields: ReadonlySet<string>;
  private cachedToday?: string;

  constructor(program: Program, actor: Actor, timeZone = 'UTC', proven: ReadonlySet<string> = noFields) {
    this.verifiedFields = proven;
    if (actor.viewer) this.viewer = new RequestContext(program, actor.viewer, timeZone);
    this.program = program;
    this.registry = program.definitions.registry();
    this.actor = actor;
    this.timeZone = timeZone;
  }

  /** The caller's current day, YYYY-MM-DD. */
  get today(): string {
    return (this.cachedToday ??= dayOf(this.now, this.timeZone));
  }

  /** The values of variables in conditions. */
  get evaluationContext(): EvaluationContext {
    return { actor: this.actor, today: this.today, now: this.now };
  }
}
