import { isDate } from './dates';
import { parsePlainNumber } from './parse-number';
import { personal } from './personal';
import { firstOf } from '../values/lookups';

/** Parsing typed input: common formats of dates, times and numbers, day before month unless the person chose another order. */

const months = ['jan', 'feb', 'mar', 'apr', 'may', 'jun', 'jul', 'aug', 'sep', 'oct', 'nov', 'dec'];

/**
 * Parses a typed date to `YYYY-MM-DD`: `16-Nov-2026`, `16/11/2026`, `16.11.26`, `16 11`, `2026-11-16`, `16112026`. A
 * missing year is that of `today`. Undefined if it cannot be parsed.
 *
 * @example parseTypedDate('16.11.26', '2026-11-21'); // '2026-11-16'
 */
export function parseTypedDate(text: string, today: string): string | undefined {
  if (personal) return personal.parseDate(text, today);
  const typedText = text.trim().toLowerCase();
  const digits = /^(\d{2})(\d{2})(\d{4})$/.exec(typedText);
  const parts = digits ? digits.slice(1) : typedText.split(/[\s./,-]+/).filter(Boolean);
  if (parts.length < 2 || parts.length > 3) return undefined;
  const [day, month, year] = firstOf(parts).length === 4 ? [parts[2], parts[1], parts[0]] : parts;
  const monthNumber = parseMonth(month ?? '');
  if (!day || !/^\d{1,2}$/.test(day) || !monthNumber) return undefined;
  const date = `${parseYear(year, today)}-${monthNumber}-${day.padStart(2, '0')}`;
  return isDate(date) ? date : undefined;
}

function parseMonth(text: string): string | undefined {
  if (/^\d{1,2}$/.test(text)) return text.padStart(2, '0');
  const index = text.length >= 3 ? months.findIndex((month) => text.startsWith(month)) : -1;
  return index < 0 ? undefined : String(index + 1).padStart(2, '0');
}

function parseYear(text: string | undefined, today: string): string {
  if (text === undefined) return today.slice(0, 4);
  return /^\d{2}$/.test(text) ? today.slice(0, 2) + text : text;
}

/**
 * Parses a typed time of day to `HH:mm`: `9`, `9:05`, `0905`, `9.30`, `9:30 pm`. Undefined if it cannot be parsed.
 *
 * @example parseTypedTime('9:30 pm'); // '21:30'
 */
export function parseTypedTime(text: string): string | undefined {
  const match = /^(\d{1,2})(?:[:. h]?(\d{2}))?\s*(am|pm|h)?$/i.exec(text.trim());
  if (!match) return undefined;
  const half = match[3]?.toLowerCase();
  let hour = Number(match[1]);
  const minute = Number(match[2] ?? 0);
  if ((half === 'am' || half === 'pm') && (hour < 1 || hour > 12)) return undefined;
  if (half === 'pm' && hour < 12) hour += 12;
  if (half === 'am' && hour === 12) hour = 0;
  if (hour > 23 || minute > 59) return undefined;
  return `${String(hour).padStart(2, '0')}:${String(minute).padStart(2, '0')}`;
}

/**
 * Parses a typed duration to minutes: `1h30`, `1h 30m`, `90m`, `1.5h`, `1:30`. Undefined if it cannot be parsed.
 *
 * @example parseTypedDuration('1h30'); // 90
 */
export function parseTypedDuration(text: string): number | undefined {
  const typedText = text.trim().toLowerCase().replace(',', '.');
  const match =
    /^(\d{1,4}(?:\.\d{1,4})?) ?h(?:ours?|rs?)?$/.exec(typedText) ??
    /^(\d{1,4}) ?(?:h|:) ?(\d{1,2})(?: ?m(?:in)?)?$/.exec(typedText) ??
    /^()(\d{1,5}) ?m(?:in|ins|inutes?)?$/.exec(typedText);
  const [hours, minutes] = [Number(match?.[1]), Number(match?.[2] ?? 0)];
  return !match || (match[1] !== '' && minutes > 59) ? undefined : Math.round(hours * 60 + minutes);
}

/** The meaning of a text typed as an end: a time, why there is none, or neither where it cannot be read. */
interface TypedEnd {
  readonly time?: string;
  readonly problem?: string;
  /** It counts from the start. */
  readonly isDuration: boolean;
}

/**
 * Parses the typed end of what begins at `start` (`HH:mm`): a time of day, midnight being the end of the day, or a duration
 * that counts from the start. A text with hours or minutes as its unit is a duration; so is `1:30`, unless that is a time
 * after the start. `startLabel` is for messages; `addMinutes` gives the time so many minutes after the start (undefined: past
 * midnight), by default by the clock.
 *
 * @example parseTypedEnd('1h30', '09:00', 'Start Time'); // { time: '10:30', isDuration: true }
 */
export function parseTypedEnd(
  text: string,
  start: string | undefined,
  startLabel: string,
  addMinutes: (start: string, minutes: number) => string | undefined = laterByClock,
): TypedEnd {
  const time = /^\s*24([:.]?00)?\s*$/.test(text) ? '00:00' : parseTypedTime(text);
  const minutes = parseTypedDuration(text);
  // `1:30`, but not `01:30`, which is how a time is written; `0:00` is midnight.
  const isPlain = /^\s*\d:/.test(text) && start !== undefined && minutes !== 0 && (time ?? '') <= start;
  if (minutes === undefined || !(/[hm]/i.test(text) || isPlain)) return { time, isDuration: false };
  const isDuration = true;
  if (start === undefined) return { problem: `A duration counts from ${startLabel}: enter that too.`, isDuration };
  if (minutes === 0) return { problem: 'Enter a minute at least.', isDuration };
  const end = addMinutes(start, minutes);
  if (end !== undefined) return { time: end, isDuration };
  return {
    problem: `${text.trim()} after ${start} is past midnight. End it at 00:00, and add the rest on the next day.`,
    isDuration,
  };
}

function laterByClock(start: string, minutes: number): string | undefined {
  const end = Number(start.slice(0, 2)) * 60 + Number(start.slice(3)) + minutes;
  if (end > 24 * 60) return undefined;
  return [Math.floor(end / 60) % 24, end % 60].map((part) => String(part).padStart(2, '0')).join(':');
}

/**
 * Parses a typed number as numbers are shown: a single comma is before decimals unless it stands between thousands.
 * Undefined if it cannot be parsed.
 *
 * @example parseTypedNumber('12,5'); // 12.5
 */
export function parseTypedNumber(text: string): number | undefined {
  return personal ? personal.parseNumber(text) : parsePlainNumber(text);
}
