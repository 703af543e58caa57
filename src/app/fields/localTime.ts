import { dayInTimeZone, formatDate } from '../../engine/formats/dates';
import { personal } from '../../engine/formats/personal';
import { localTimeZone } from '../../engine/formats/time-zone';

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

/** The day and time of an instant in the browser's time zone. */
export function splitInstant(iso: string): { date: string; time: string } | undefined {
  const instant = new Date(iso);
  if (Number.isNaN(instant.getTime())) return undefined;
  const two = (number: number) => String(number).padStart(2, '0');
  const date = `${String(instant.getFullYear()).padStart(4, '0')}-${two(instant.getMonth() + 1)}-${two(instant.getDate())}`;
  return { date, time: `${two(instant.getHours())}:${two(instant.getMinutes())}` };
}

/** The UTC instant of a day (`YYYY-MM-DD`) and time (`HH:mm`) in the browser's time zone. */
export function joinInstant(date: string, time: string): string {
  return new Date(`${date}T${time}:00`).toISOString();
}
