import { LRUCache } from 'lru-cache';
import { Temporal } from 'temporal-polyfill';

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

const [first, last] = ['0001-01-01T00:00:00.000Z', '9999-12-31T23:59:59.999Z'].map((instant) => Date.parse(instant));

/** Limited to years with four digits. */
function startOf(day: Temporal.PlainDate, timeZone: string): string {
  const { epochMilliseconds } = day.toZonedDateTime(timeZone);
  return new Date(Math.min(Math.max(epochMilliseconds, first!), last!)).toISOString();
}
