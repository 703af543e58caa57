import { cachedValue } from './cached-value';
import { personal } from './personal';
import { localTimeZone } from './time-zone';

/** Dates as their readers write them, and the days of a time zone. Dates are `YYYY-MM-DD`, instants ISO 8601 in UTC. */

/** The months, as short as they are written. */
export const shortMonthNames: readonly string[] = [
  'Jan',
  'Feb',
  'Mar',
  'Apr',
  'May',
  'Jun',
  'Jul',
  'Aug',
  'Sep',
  'Oct',
  'Nov',
  'Dec',
];

/**
 * Whether the text is a day of the calendar, as `YYYY-MM-DD`.
 *
 * @example isDate('2026-02-30'); // false
 */
export function isDate(text: string): boolean {
  const match = /^(\d{4})-(\d{2})-(\d{2})$/.exec(text);
  if (!match) return false;
  const [year, month, day] = [Number(match[1]), Number(match[2]), Number(match[3])];
  const last = new Date(Date.UTC(2000, month, 0)).getUTCDate();
  const leap = year % 4 === 0 && (year % 100 !== 0 || year % 400 === 0);
  return year >= 1 && month >= 1 && month <= 12 && day >= 1 && day <= (month === 2 && !leap ? 28 : last);
}

/**
 * The first and last day of a month (`YYYY-MM`); undefined if it is not a month.
 *
 * @example daysOfMonth('2026-02'); // { first: '2026-02-01', last: '2026-02-28' }
 */
export function daysOfMonth(month: string): { first: string; last: string } | undefined {
  const first = `${month}-01`;
  if (!isDate(first)) return undefined;
  const days = [31, 30, 29, 28].map((day) => `${month}-${day}`);
  return { first, last: days.find(isDate) ?? first };
}

/**
 * `2026-11-16` as `16-Nov-2026`, or as the person chose; any other text unchanged.
 *
 * @example formatDate('2026-11-16'); // '16-Nov-2026'
 */
export function formatDate(date: string): string {
  if (personal) return personal.date(date);
  const match = /^(\d{4})-(\d{2})-(\d{2})/.exec(date);
  return match ? `${match[3]}-${shortMonthNames[Number(match[2]) - 1]}-${match[1]}` : date;
}

/**
 * A day in short, where space is short: with the year if it differs from that of `today`. Both `YYYY-MM-DD`.
 *
 * @example shortDay('2026-11-30', '2026-12-02'); // '30 Nov'
 */
export function shortDay(day: string, today: string): string {
  const [year = '', month = '', date = ''] = day.slice(0, 10).split('-');
  const text = `${Number(date)} ${shortMonthNames[Number(month) - 1] ?? month}`;
  return year === today.slice(0, 4) ? text : `${text} ${year}`;
}

/**
 * A day as people say it: `Today`, `Tomorrow`, `Yesterday`, `3 Dec`, `12 Jan 2027`; in the format that the
 * person chose, if any. Both `YYYY-MM-DD`.
 *
 * @example sayDay('2026-12-03', '2026-12-02'); // 'Tomorrow'
 */
export function sayDay(day: string, today: string): string {
  const offset = daysBetween(today, day);
  const name = ['Yesterday', 'Today', 'Tomorrow'][offset + 1];
  return name ?? (personal ? personal.date(day) : shortDay(day, today));
}

/**
 * The number of days from one day to another, both `YYYY-MM-DD`; below 0 if the other is before it.
 *
 * @example daysBetween('2026-12-30', '2027-01-02'); // 3
 */
export function daysBetween(firstDay: string, secondDay: string): number {
  return Math.round((Date.parse(`${secondDay}T00:00:00Z`) - Date.parse(`${firstDay}T00:00:00Z`)) / 86_400_000);
}

/**
 * The day (`YYYY-MM-DD`) so many days later, or earlier.
 *
 * @example addDays('2026-12-31', 1); // '2027-01-01'
 */
export function addDays(day: string, days: number): string {
  return new Date(Date.parse(`${day}T00:00:00Z`) + days * 86_400_000).toISOString().slice(0, 10);
}

interface TimeZoneFormatters {
  readonly day: Intl.DateTimeFormat;
  readonly time: Intl.DateTimeFormat;
}

/** Creating a formatter is far more expensive than using it; each takes 50 kB. */
const formattersByTimeZone = new Map<string, TimeZoneFormatters>();
const maxTimeZones = 50;

function formattersOf(timeZone: string): TimeZoneFormatters {
  return cachedValue(formattersByTimeZone, maxTimeZones, timeZone, () => ({
    day: new Intl.DateTimeFormat('en-CA', { timeZone, year: 'numeric', month: '2-digit', day: '2-digit' }),
    time: new Intl.DateTimeFormat('en-GB', { timeZone, hour: '2-digit', minute: '2-digit' }),
  }));
}

/**
 * The day (`YYYY-MM-DD`) of an instant in a time zone of the IANA database.
 *
 * @example dayInTimeZone('Asia/Tokyo', new Date('2026-11-21T20:00:00Z')); // '2026-11-22'
 */
export function dayInTimeZone(timeZone: string, instant: Date = new Date()): string {
  return formattersOf(timeZone).day.format(instant).padStart('YYYY-MM-DD'.length, '0');
}

/**
 * The minute (`YYYY-MM-DD HH:mm`) that clocks in a time zone show at an instant.
 *
 * @example minuteInTimeZone('Asia/Tokyo', new Date('2026-11-21T20:00:00Z')); // '2026-11-22 05:00'
 */
export function minuteInTimeZone(timeZone: string, instant: Date): string {
  return `${dayInTimeZone(timeZone, instant)} ${formattersOf(timeZone).time.format(instant)}`;
}

/**
 * A time of day (`HH:mm`) as the person chose: `2:05 PM`; as it is for everybody else.
 *
 * @example formatTimeOfDay('14:05'); // '14:05'
 */
export function formatTimeOfDay(time: string): string {
  return personal ? personal.time(time) : time;
}

/**
 * A minute as people say it: `Today 14:05`, `3 Dec 14:05`, `12 Jan 2027 14:05`; the day and the time in the formats that
 * the person chose, if any. `minute` is what clocks show (`YYYY-MM-DD HH:mm`), `today` is `YYYY-MM-DD`.
 *
 * @example sayMinute('2026-12-01 14:05', '2026-12-02'); // 'Yesterday 14:05'
 */
export function sayMinute(minute: string, today: string): string {
  return `${sayDay(minute.slice(0, 10), today)} ${formatTimeOfDay(minute.slice(11))}`;
}

/**
 * An instant as `16-Nov-2026 14:05` in a time zone (the reader's own by default).
 *
 * @example formatInstant('2026-11-16T14:05:00Z', 'Europe/Berlin'); // '16-Nov-2026 15:05'
 */
export function formatInstant(iso: string, timeZone?: string): string {
  const instant = new Date(iso);
  if (Number.isNaN(instant.getTime())) return iso;
  const { day, time } = formattersOf(timeZone ?? localTimeZone());
  return `${formatDate(day.format(instant))} ${formatTimeOfDay(time.format(instant))}`;
}

/**
 * Whether the runtime knows the time zone's name.
 *
 * @example isTimeZone('Europe/Vienna'); // true
 */
export function isTimeZone(name: string): boolean {
  try {
    new Intl.DateTimeFormat('en', { timeZone: name });
    return true;
  } catch {
    return false;
  }
}

/**
 * An instant in any ISO 8601 form with a zone, converted to UTC; `undefined` if it is not one.
 *
 * @example parseInstant('2026-11-16T14:30:00+02:00'); // '2026-11-16T12:30:00.000Z'
 */
export function parseInstant(text: string): string | undefined {
  if (!/^\d{4}-\d{2}-\d{2}[T ]\d{2}:\d{2}(:\d{2}(\.\d{1,9})?)?(Z|[+-]\d{2}:?\d{2})$/.test(text)) return undefined;
  if (!isDate(text.slice(0, 10))) return undefined;
  const instant = new Date(text.replace(' ', 'T'));
  const year = instant.getUTCFullYear();
  return year >= 1 && year <= 9999 ? instant.toISOString() : undefined;
}
