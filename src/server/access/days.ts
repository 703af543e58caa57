import { LRUCache } from 'lru-cache';
import { Temporal } from 'temporal-polyfill';
import { minutesBetween } from '../../engine/field-types/duration';
import { toEnd } from '../../engine/field-types/time';

/** By day and zone: everybody uses the same few days. */
const starts = new LRUCache<string, string>({ max: 1_000 });

/**
 * The instant at which a day (YYYY-MM-DD) starts in a time zone, as ISO 8601 in UTC; later than midnight if the clocks
 * skip it.
 *
 * @example startOfDay('2026-11-16', 'Europe/Berlin'); // '2026-11-15T23:00:00.000Z'
 */
export function startOfDay(day: string, timeZone: string): string {
  const key = `${day} ${timeZone}`;
  let start = starts.get(key);
  if (start === undefined) starts.set(key, (start = startOf(Temporal.PlainDate.from(day), timeZone)));
  return start;
}

/**
 * The instant at which the next day starts.
 *
 * @example endOfDay('2026-11-16', 'UTC'); // '2026-11-17T00:00:00.000Z'
 */
export function endOfDay(day: string, timeZone: string): string {
  const next = Temporal.PlainDate.from(day).add({ days: 1 });
  return next.year > 9999 ? startOf(next, timeZone) : startOfDay(next.toString(), timeZone);
}

const first = Date.parse('0001-01-01T00:00:00.000Z');
const last = Date.parse('9999-12-31T23:59:59.999Z');

/**
 * The minutes that pass from one time of a day (`HH:mm`, or `24:00`) to a later one in a time zone. On a day on which the
 * clocks change that is not what they show: a time that they skip is as long after the one before, and of a time that
 * comes twice the first is meant. Undefined as in `minutesBetween`.
 *
 * @example minutesInZone('2026-03-29', '01:00', '04:00', 'Europe/Berlin'); // 120
 */
export function minutesInZone(day: string, startTime: string, endTime: string, timeZone: string): number | undefined {
  const byClock = minutesBetween(startTime, endTime);
  const start = Date.parse(startOfDay(day, timeZone));
  const end = Date.parse(endOfDay(day, timeZone));
  if (byClock === undefined || end - start === 86_400_000) return byClock;
  const date = Temporal.PlainDate.from(day);
  const instantOf = (time: string) =>
    time === toEnd('00:00')
      ? end
      : date.toZonedDateTime({ timeZone, plainTime: Temporal.PlainTime.from(time) }).epochMilliseconds;
  const minutes = Math.round((instantOf(endTime) - instantOf(startTime)) / 60_000);
  // From a skipped time to one right after the change nothing passes: then the clock is all there is.
  return minutes > 0 ? minutes : byClock;
}

/** Limited to years with four digits. */
function startOf(day: Temporal.PlainDate, timeZone: string): string {
  const { epochMilliseconds } = day.toZonedDateTime(timeZone);
  return new Date(Math.min(Math.max(epochMilliseconds, first), last)).toISOString();
}
