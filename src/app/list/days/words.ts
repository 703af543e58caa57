import { daysBetween, shortMonthNames } from '../../../engine/formats/dates';
import { itemAt } from '../../../engine/values/lookups';
import type { Span } from './spans';

const monthNames = [
  ...['January', 'February', 'March', 'April', 'May', 'June', 'July', 'August', 'September', 'October'],
  ...['November', 'December'],
];
const weekdays = ['Sun', 'Mon', 'Tue', 'Wed', 'Thu', 'Fri', 'Sat'];

/** `November 2026` of a day. */
export function monthName(day: string): string {
  return `${monthNames[Number(day.slice(5, 7)) - 1]} ${day.slice(0, 4)}`;
}

/** `Mon` of a day. */
export function weekday(day: string): string {
  return itemAt(weekdays, new Date(day).getUTCDay());
}

/** `24 Nov` of a day. */
export function dayAndMonth(day: string): string {
  return `${Number(day.slice(8))} ${shortMonthNames[Number(day.slice(5, 7)) - 1]}`;
}

/** `24 – 26 Nov 2026`, `30 Nov – 2 Dec 2026`, `24 Nov 2026`. */
export function spanWords({ from: firstDay, to: lastDay }: Span): string {
  const [year, last] = [firstDay.slice(0, 4), lastDay.slice(0, 4)];
  const end = `${dayAndMonth(lastDay)} ${last}`;
  if (firstDay === lastDay) return end;
  if (firstDay.slice(0, 7) === lastDay.slice(0, 7)) return `${Number(firstDay.slice(8))} – ${end}`;
  return `${dayAndMonth(firstDay)}${year === last ? '' : ` ${year}`} – ${end}`;
}

/** `3 days` of a span. */
export function lengthWords({ from: firstDay, to: lastDay }: Span): string {
  const days = daysBetween(firstDay, lastDay) + 1;
  return days === 1 ? '1 day' : `${days} days`;
}

/** The number of the week of the year that begins on a day, by ISO 8601: that of its Thursday. */
export function weekNumber(first: string): number {
  const thursday = Date.parse(first) + ((4 - new Date(first).getUTCDay() + 7) % 7) * 86_400_000;
  const newYear = Date.UTC(new Date(thursday).getUTCFullYear(), 0, 1);
  return Math.floor((thursday - newYear) / 86_400_000 / 7) + 1;
}
