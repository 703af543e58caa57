import type { Condition, DaysView, Definition, Field, ResourceRecord } from '../../../engine/definitions/definition';
import { fieldTypeOf } from '../../../engine/field-types';
import { addDays, isDate } from '../../../engine/formats/dates';
import type { DaysEnd } from '../../../engine/lists/days-view';
import { joinInstant, splitInstant } from '../../fields/localTime';

/** The days of a record, both inclusive, `YYYY-MM-DD`. */
export interface Span {
  readonly from: string;
  readonly to: string;
}

/** What is changed of a bar: one of its ends, or both, so that it moves. */
export type Grip = DaysEnd | 'both';

const isInstant = (field: Field) => fieldTypeOf(field).holds === 'instant';

/** The day of a date, or of a time in the browser's time zone. */
function dayOf(field: Field | undefined, value: unknown): string | undefined {
  if (!field || typeof value !== 'string') return undefined;
  if (isInstant(field)) return splitInstant(value)?.date;
  return isDate(value.slice(0, 10)) ? value.slice(0, 10) : undefined;
}

/**
 * The days that a record takes. With one of the two it takes that day alone, and so it does if its end is before its start;
 * undefined without any.
 */
export function spanOf({ fields }: Definition, days: DaysView, record: ResourceRecord): Span | undefined {
  const start = dayOf(fields[days.start], record[days.start]);
  const end = days.end === undefined ? undefined : dayOf(fields[days.end], record[days.end]);
  const from = start ?? end;
  return from === undefined ? undefined : { from, to: end !== undefined && end > from ? end : from };
}

/** A span moved by some days, or with one of its ends moved; an end does not pass the other. */
export function movedSpan({ from, to }: Span, grip: Grip, by: number): Span {
  if (grip === 'both') return { from: addDays(from, by), to: addDays(to, by) };
  if (grip === 'start') return { from: min(addDays(from, by), to), to };
  return { from, to: max(addDays(to, by), from) };
}

/**
 * The values of a record that make it take other days: of its start, its end or both, whichever change. A time keeps its
 * hour in the browser's time zone, whatever the clocks do in between. What has no value gets one only if its own end of the
 * bar was changed.
 */
export function valuesOfSpan(
  { fields }: Definition,
  days: DaysView,
  record: ResourceRecord,
  grip: Grip,
  next: Span,
): ResourceRecord {
  const made: ResourceRecord = {};
  const set = (name: string | undefined, end: DaysEnd, day: string) => {
    const field = name === undefined ? undefined : fields[name];
    if (!field || (grip !== 'both' && grip !== end)) return;
    const before = record[field.name];
    const old = dayOf(field, before);
    if (old === day || (old === undefined && grip === 'both')) return;
    const time = typeof before === 'string' ? splitInstant(before)?.time : undefined;
    made[field.name] = isInstant(field) ? joinInstant(day, time ?? (end === 'start' ? '09:00' : '17:00')) : day;
  };
  set(days.start, 'start', next.from);
  set(days.end, 'end', next.to);
  return made;
}

/** The values of a record without days that give it a day: those of its ends. */
export function valuesOfDay(
  { fields }: Definition,
  days: DaysView,
  ends: ReadonlySet<DaysEnd>,
  day: string,
): ResourceRecord {
  const made: ResourceRecord = {};
  for (const end of ends) {
    const field = fields[days[end] ?? ''];
    if (field) made[field.name] = isInstant(field) ? joinInstant(day, end === 'start' ? '09:00' : '17:00') : day;
  }
  return made;
}

/** The values of a record that take its days away. */
export function valuesWithoutDays(days: DaysView, record: ResourceRecord): ResourceRecord {
  const set = [days.start, days.end].filter((name) => name !== undefined && (record[name] ?? null) !== null);
  return Object.fromEntries(set.map((name) => [name, null]));
}

/** The condition of records without a day; undefined where each has one. */
export function withoutDaysCondition({ fields }: Definition, days: DaysView): Condition | undefined {
  const names = [days.start, days.end].filter((name) => name !== undefined);
  return names.some((name) => fields[name]!.required)
    ? undefined
    : Object.fromEntries(names.map((name) => [name, null]));
}

/** The condition of records with a day between two, both inclusive. */
export function daysCondition({ fields }: Definition, days: DaysView, first: string, last: string): Condition {
  const [start, end] = [fields[days.start], fields[days.end ?? '']];
  /** The first moment of a day, or the day. */
  const from = (field: Field) => (isInstant(field) ? joinInstant(first, '00:00') : first);
  const before = (field: Field) =>
    isInstant(field) ? { $lt: joinInstant(addDays(last, 1), '00:00') } : { $lte: last };
  const within = (field: Field) => ({ [field.name]: { $gte: from(field), ...before(field) } });
  if (!start) return {};
  if (!end) return within(start);
  return {
    $or: [within(start), within(end), { [start.name]: { $lt: from(start) }, [end.name]: { $gt: from(end) } }],
  };
}

const min = (one: string, other: string) => (one < other ? one : other);
const max = (one: string, other: string) => (one > other ? one : other);
