import { shortMonthNames } from '../../src/engine/formats/dates';
import { personal, personalFormatter } from '../../src/engine/formats/personal';

/** Months (`YYYY-MM`) and days (`YYYY-MM-DD`) of the calendar, without hours and zones. */

const dayInstant = (day: string) => Date.parse(`${day}T00:00:00Z`);
const isoDay = (instant: number) => new Date(instant).toISOString().slice(0, 10);

/** Whether the text is a month, as `YYYY-MM`. */
export function isMonth(text: string): boolean {
  return /^(?!0000)\d{4}-(0[1-9]|1[0-2])$/.test(text);
}

/** The month of a day. */
export function monthOf(day: string): string {
  return day.slice(0, 7);
}

/** The month `count` months later, or earlier if negative. */
export function addMonths(month: string, count: number): string {
  const [year, number] = month.split('-').map(Number) as [number, number];
  return isoDay(Date.UTC(year, number - 1 + count, 1)).slice(0, 7);
}

/** All days of a month in order. */
export function daysOfMonth(month: string): string[] {
  const [year, number] = month.split('-').map(Number) as [number, number];
  const last = new Date(Date.UTC(year, number, 0)).getUTCDate();
  return Array.from({ length: last }, (_, index) => `${month}-${String(index + 1).padStart(2, '0')}`);
}

/** `Nov 2026`. */
export function monthLabel(month: string): string {
  if (personal) return shortMonths().format(dayInstant(`${month}-01`));
  return `${shortMonthNames[Number(month.slice(5)) - 1]} ${month.slice(0, 4)}`;
}

const shortMonths = personalFormatter({ month: 'short', year: 'numeric', timeZone: 'UTC' });
const monthNames = personalFormatter({ month: 'long', timeZone: 'UTC' });
const weekdays = personalFormatter({ weekday: 'short', timeZone: 'UTC' });

/** `November`, or `November 2026` with its year. */
export function monthName(month: string, withYear = false): string {
  const name = monthNames().format(dayInstant(`${month}-01`));
  return withYear ? `${name} ${month.slice(0, 4)}` : name;
}

/** `Wed, 18 Nov 2026`. */
export function dayName(day: string): string {
  const weekday = weekdays().format(dayInstant(day));
  if (personal) return `${weekday}, ${personal.date(day)}`;
  return `${weekday}, ${Number(day.slice(8))} ${monthLabel(monthOf(day))}`;
}

/** `Mon 23`. */
export function shortDayName(day: string): string {
  return `${weekdays().format(dayInstant(day))} ${Number(day.slice(8))}`;
}
