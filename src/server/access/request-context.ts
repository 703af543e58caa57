import { LRUCache } from 'lru-cache';
import type { Actor } from '../../engine/access/actor';
import type { Registry } from '../../engine/registry/registry';
import type { Program } from '../program';
import { isTimeZone } from '../../engine/formats/dates';
import type { StatementContext } from '../sql/computed-sql';
import { resolveVariable } from '../../engine/conditions/variables';
import { toZoneText, viewerPrefix, zoneParameterName } from '../sql/statement-parameter';
import { visibleFields, visibleRowsIfGranted } from './access-filter';
import { propertyOf } from '../../engine/values/lookups';

const noFields: ReadonlySet<string> = new Set();

/**
 * The caller, time and definitions of one request. Created once per request, so that these stay the same until it ends.
 */
export class RequestContext {
  readonly program: Program;
  readonly registry: Registry;
  readonly actor: Actor;
  /** IANA name of the caller's time zone; UTC if the caller did not say. */
  readonly timeZone: string;
  /** The same, if the caller said so. */
  readonly knownZone: string | undefined;
  /** The time of the request, ISO 8601 in UTC. */
  readonly now = new Date().toISOString();
  /** When viewing as another user: the same request with the viewer's own permissions. */
  readonly viewer?: RequestContext;
  /** Fields whose new value is already verified, such as an email address confirmed by a code. */
  readonly verifiedFields: ReadonlySet<string>;
  /** The moment that `$now` and `$today` mean: that of the call, or when it was due. */
  private readonly meantNow: string;
  /** How many automations led here: 0 for what a user does. */
  readonly depth: number;
  private cachedToday?: string;
  private cachedEvaluation?: StatementContext;
  private parameterValues?: Map<string, unknown>;
  private parameterPrefix = '';

  constructor(
    program: Program,
    actor: Actor,
    timeZone?: string,
    verifiedFields: ReadonlySet<string> = noFields,
    { depth = 0, dueAt }: { readonly depth?: number; readonly dueAt?: string } = {},
  ) {
    this.meantNow = dueAt ?? this.now;
    this.depth = depth;
    this.verifiedFields = verifiedFields;
    if (actor.viewer) {
      this.viewer = new RequestContext(program, actor.viewer, timeZone);
      this.viewer.parameterPrefix = viewerPrefix;
    }
    this.program = program;
    this.registry = program.definitions.registry();
    this.actor = actor;
    this.timeZone = timeZone ?? 'UTC';
    this.knownZone = timeZone;
  }

  /** The caller's current day, YYYY-MM-DD. */
  get today(): string {
    return (this.cachedToday ??= dayOf(this.meantNow, this.timeZone));
  }

  /** The values of variables in conditions, and what the caller may see of computed fields. */
  get evaluationContext(): StatementContext {
    if (this.cachedEvaluation) return this.cachedEvaluation;
    const { actor, meantNow: now, timeZone, parameterPrefix } = this;
    const day = () => this.today;
    this.cachedEvaluation = {
      actor,
      get today() {
        return day();
      },
      now,
      timeZone,
      parameterPrefix,
      readableFields: (definition) => visibleFields(actor, definition),
      visibleRows: (definition, action) => visibleRowsIfGranted(this, definition, action),
    };
    return this.cachedEvaluation;
  }

  /** The value in this request of a statement's parameter, by its name: `$today+7d`, `viewer $actor.id`. */
  parameterValue(name: string): unknown {
    if (name.startsWith(viewerPrefix)) return (this.viewer ?? this).parameterValue(name.slice(viewerPrefix.length));
    const parameterValues = (this.parameterValues ??= new Map());
    if (!parameterValues.has(name)) {
      const value =
        name === zoneParameterName ? toZoneText(this.timeZone) : resolveVariable(name, this.evaluationContext);
      parameterValues.set(name, value);
    }
    return parameterValues.get(name);
  }
}

/** By zone, as somebody wrote it: making one costs far more than using it. Each takes 50 kB. */
const formatters = new LRUCache<string, Intl.DateTimeFormat>({ max: 100 });

function formatterOf(timeZone: string): Intl.DateTimeFormat {
  let formatter = formatters.get(timeZone);
  if (!formatter) {
    formatter = new Intl.DateTimeFormat('en-CA', {
      timeZone,
      hourCycle: 'h23',
      year: 'numeric',
      month: '2-digit',
      day: '2-digit',
      hour: '2-digit',
      minute: '2-digit',
      second: '2-digit',
    });
    formatters.set(timeZone, formatter);
  }
  return formatter;
}

/**
 * Whether the name is one of the IANA database that a request may name.
 *
 * @example isKnownZone('Europe/Berlin'); // true
 */
export function isKnownZone(timeZone: string): boolean {
  return formatters.has(timeZone) || (timeZone.length <= 60 && isTimeZone(timeZone));
}

/**
 * The day (YYYY-MM-DD) of an instant in a zone.
 *
 * @example dayOf('2026-11-15T23:30:00Z', 'Europe/Berlin'); // '2026-11-16'
 */
export function dayOf(instant: string, timeZone: string): string {
  return timeZone === 'UTC' ? instant.slice(0, 10) : wallClock(new Date(instant), timeZone).slice(0, 10);
}

/**
 * The local time in a zone at an instant: `YYYY-MM-DDTHH:mm:ss`. Exports ask it for every cell: Intl answers several
 * times as fast as Temporal.
 */
export function wallClock(instant: Date, timeZone: string): string {
  const parts: Record<string, string> = {};
  for (const { type, value } of formatterOf(timeZone).formatToParts(instant)) parts[type] = value;
  const year = propertyOf(parts, 'year').padStart(4, '0');
  return `${year}-${parts.month}-${parts.day}T${parts.hour}:${parts.minute}:${parts.second}`;
}
