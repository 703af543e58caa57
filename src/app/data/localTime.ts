import { dayInTimeZone, formatDate } from '../../engine/formats/dates';
import { personal } from '../../engine/formats/personal';
import { localTimeZone } from '../../engine/formats/time-zone';
import { requireValue } from '../../engine/values/lookups';

/** How a day is typed, for an empty input. */
export const datePlaceholder = () => (personal ? formatDate('2026-12-31') : 'dd-Mmm-yyyy');

/**
 * Today in the browser's time zone, `YYYY-MM-DD`.
 *
 * @example localToday(); // '2026-11-21'
 */
export function localToday(): string {
  return dayInTimeZone(localTimeZone());
}

/**
 * The day and time of an instant in the browser’s time zone.
 *
 * @example splitInstant("2026-11-16T14:05:00Z")?.date; // "2026-11-16"
 */
export function splitInstant(iso: string): { date: string; time: string } | undefined {
  const instant = new Date(iso);
  if (Number.isNaN(instant.getTime())) return undefined;
  const two = (number: number) => String(number).padStart(2, '0');
  const date = `${String(instant.getFullYear()).padStart(4, '0')}-${two(instant.getMonth() + 1)}-${two(instant.getDate())}`;
  return { date, time: `${two(instant.getHours())}:${two(instant.getMinutes())}` };
}

/**
 * The time (`HH:mm`) so many minutes after another one of a day in the browser's time zone, also where the clocks change;
 * undefined past midnight, which is the end of the day.
 */
export function laterOnDay(date: string, time: string, minutes: number): string | undefined {
  const end = Date.parse(joinInstant(date, time)) + minutes * 60_000;
  const localOf = (instant: number) =>
    requireValue(splitInstant(new Date(instant).toISOString()), 'the day and time of an instant');
  return localOf(end - 1).date === date ? localOf(end).time : undefined;
}

/** The UTC instant of a day (`YYYY-MM-DD`) and time (`HH:mm`) in the browser's time zone. */
export function joinInstant(date: string, time: string): string {
  return new Date(`${date}T${time}:00`).toISOString();
}
