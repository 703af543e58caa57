import type { Condition } from './field';

/** The changes that a record goes through for an automation of its definition to look at it; `comment`: it gets a comment. */
export const changeEvents = ['create', 'update', 'delete', 'comment'] as const;
export type ChangeEvent = (typeof changeEvents)[number];

/** The days of a week, in order. */
export const weekdays = ['monday', 'tuesday', 'wednesday', 'thursday', 'friday', 'saturday', 'sunday'] as const;
export type Weekday = (typeof weekdays)[number];

/** The day of a month that is its last one. */
export const lastDayOfMonth = 31;

/** Who is told: paths to users (`owner_id`, `project_id.owner_id`), or everybody of a role or level in the company. */
export interface Recipients {
  readonly paths: readonly string[];
  /** The keys of roles. */
  readonly roles: readonly string[];
  readonly roleNames: readonly string[];
  readonly levels: readonly number[];
}

/** One thing that an automation does. Values are plain ones, variables, or texts with `{placeholders}`. */
export type AutomationStep =
  | { readonly kind: 'notify'; readonly to: Recipients; readonly text: string }
  | {
      readonly kind: 'mail';
      /** A path to a user, or to a field with an email address. */
      readonly to: string;
      /** The identifier of an email template; otherwise subject and text. */
      readonly template?: string;
      readonly subject?: string;
      readonly text?: string;
    }
  | { readonly kind: 'set'; readonly values: Readonly<Record<string, unknown>> }
  | {
      readonly kind: 'create';
      readonly resource: string;
      readonly values: Readonly<Record<string, unknown>>;
      /** A field with several related records: one record is created for each, and `$each.…` is of it. */
      readonly forEach?: string;
    }
  | { readonly kind: 'webhook'; readonly name: string };

/** A time that a field of a record says. */
export interface DueTime {
  /** A stored date or date-time. */
  readonly field: string;
  /** `-1h`, `+2d`: so long before or after it; null at its time. */
  readonly offset: string | null;
  /** Of a date: `09:00`, in the zone of the record's company. */
  readonly timeOfDay: string;
}

/** An entry of a definition's `automations`: what happens by itself. Exactly one of `events`, `schedule`, `dueTime` and `idleTime` says when. */
export interface Automation {
  readonly name: string;
  readonly label: string;
  /** After these changes; empty for schedules. */
  readonly events: readonly ChangeEvent[];
  /** Only if one of these fields has changed, or has a value in a new record. */
  readonly changedFields: readonly string[];
  /** Only if the field has just become this value. */
  readonly transition: { readonly field: string; readonly to: string | number } | null;
  readonly schedule: 'hour' | 'day' | 'week' | 'month' | null;
  /** Of a week; else empty. */
  readonly weekdays: readonly Weekday[];
  /** Of a month, at most its last one; else null. */
  readonly day: number | null;
  /** `08:30`; for `hour` only the minutes count. */
  readonly time: string;
  /** The IANA name of the schedule's time zone. */
  readonly timeZone: string;
  /** At the time of a field of each record. */
  readonly dueTime?: DueTime;
  /** `7d`: after so long without a change. */
  readonly idleTime: string | null;
  /** Only for records that match. */
  readonly where?: Condition;
  /** `author`, the path to a user, or a user's email address: whose permissions it has. */
  readonly runAs: string;
  readonly steps: readonly AutomationStep[];
}

/** How long `7d` is in milliseconds; undefined if it is no such duration. */
export function idleMilliseconds(duration: string): number | undefined {
  const match = /^([1-9]\d{0,3})(min|h|d|w)$/.exec(duration);
  if (!match) return undefined;
  const minutes = { min: 1, h: 60, d: 1_440, w: 10_080 }[match[2] as 'min' | 'h' | 'd' | 'w'];
  return Number(match[1]) * minutes * 60_000;
}

/**
 * The parts of an offset such as `-1h`: whole days, which a date moves by on the calendar, and the rest in milliseconds.
 * Without an offset both are 0.
 *
 * @example offsetParts('-2d'); // { days: -2, milliseconds: 0 }
 */
export function offsetParts(offset: string | null): { readonly days: number; readonly milliseconds: number } {
  const sign = offset?.startsWith('-') ? -1 : 1;
  const length = (idleMilliseconds(offset?.slice(1) ?? '') ?? 0) * sign;
  const isDays = /[dw]$/.test(offset ?? '');
  return isDays ? { days: length / 86_400_000, milliseconds: 0 } : { days: 0, milliseconds: length };
}
