import type { Condition, DaysView, Definition, Field, ResourceRecord } from '../../../engine/definitions/definition';
import { fieldTypeOf } from '../../../engine/field-types';
import { addDays, isDate } from '../../../engine/formats/dates';
import { fieldOf } from '../../../engine/definitions/accessors';
import type { DaysEnd } from '../../../engine/lists/days-view';
import { joinInstant, splitInstant } from '../../data/localTime';

/** The days of a record, both inclusive, `YYYY-MM-DD`. */
export interface Span {
  readonly from: string;
  readonly to: string;
}

/** The part of a bar that is changed: one of its ends, or both, so that it moves. */
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
  const firstDay = start ?? end;
  return firstDay === undefined
    ? undefined
    : { from: firstDay, to: end !== undefined && end > firstDay ? end : firstDay };
}

/** A span moved by some days, or with one of its ends moved; an end does not pass the other. */
export function movedSpan({ from: firstDay, to: lastDay }: Span, grip: Grip, offset: number): Span {
  if (grip === 'both') return { from: addDays(firstDay, offset), to: addDays(lastDay, offset) };
  if (grip === 'start') return { from: min(addDays(firstDay, offset), lastDay), to: lastDay };
  return { from: firstDay, to: max(addDays(lastDay, offset), firstDay) };
}

/**
 * The values of a record that make it take other days: of its start, its end or both, whichever change. A time keeps its
 * hour in the browser's time zone, whatever the clocks do in between. A field without a value gets one only if its own
 * end of the bar was changed.
 */
export function valuesOfSpan(
  { fields }: Definition,
  days: DaysView,
  record: ResourceRecord,
  grip: Grip,
  next: Span,
): ResourceRecord {
  const values: ResourceRecord = {};
  const set = (name: string | undefined, end: DaysEnd, day: string) => {
    const field = name === undefined ? undefined : fields[name];
    if (!field || (grip !== 'both' && grip !== end)) return;
    const previousValue = record[field.name];
    const previousDay = dayOf(field, previousValue);
    if (previousDay === day || (previousDay === undefined && grip === 'both')) return;
    const time = typeof previousValue === 'string' ? splitInstant(previousValue)?.time : undefined;
    values[field.name] = isInstant(field) ? joinInstant(day, time ?? (end === 'start' ? '09:00' : '17:00')) : day;
  };
  set(days.start, 'start', next.from);
  set(days.end, 'end', next.to);
  return values;
}

/** The values of a record without days that give it a day: those of its ends. */
export function valuesOfDay(
  { fields }: Definition,
  days: DaysView,
  movableEnds: ReadonlySet<DaysEnd>,
  day: string,
): ResourceRecord {
  const values: ResourceRecord = {};
  for (const end of movableEnds) {
    const field = fields[days[end] ?? ''];
    if (field) values[field.name] = isInstant(field) ? joinInstant(day, end === 'start' ? '09:00' : '17:00') : day;
  }
  return values;
}

/** The values of a record that take its days away. */
export function valuesWithoutDays(days: DaysView, record: ResourceRecord): ResourceRecord {
  const set = [days.start, days.end].filter((name) => name !== undefined && (record[name] ?? null) !== null);
  return Object.fromEntries(set.map((name) => [name, null]));
}

/** The condition of records without a day; undefined where each has one. */
export function withoutDaysCondition({ fields }: Definition, days: DaysView): Condition | undefined {
  const names = [days.start, days.end].filter((name) => name !== undefined);
  return names.some((name) => fieldOf({ fields }, name).required)
    ? undefined
    : Object.fromEntries(names.map((name) => [name, null]));
}

/** The condition of records with a day between two, both inclusive. */
export function daysCondition({ fields }: Definition, days: DaysView, first: string, last: string): Condition {
  const [start, end] = [fields[days.start], fields[days.end ?? '']];
  /** The first moment of a day, or the day. */
  const startOf = (field: Field) => (isInstant(field) ? joinInstant(first, '00:00') : first);
  const beforeEnd = (field: Field) =>
    isInstant(field) ? { $lt: joinInstant(addDays(last, 1), '00:00') } : { $lte: last };
  const rangeCondition = (field: Field) => ({ [field.name]: { $gte: startOf(field), ...beforeEnd(field) } });
  if (!start) return {};
  if (!end) return rangeCondition(start);
  return {
    $or: [
      rangeCondition(start),
      rangeCondition(end),
      { [start.name]: { $lt: startOf(start) }, [end.name]: { $gt: startOf(end) } },
    ],
  };
}

const min = (left: string, right: string) => (left < right ? left : right);
const max = (left: string, right: string) => (left > right ? left : right);
