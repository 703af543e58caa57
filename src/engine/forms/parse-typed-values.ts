import { isDate } from '../formats/dates';

/** Parsing typed input: common formats of dates, times and numbers, day before month. */

const months = ['jan', 'feb', 'mar', 'apr', 'may', 'jun', 'jul', 'aug', 'sep', 'oct', 'nov', 'dec'];

/**
 * Parses a typed date to `YYYY-MM-DD`: `16-Nov-2026`, `16/11/2026`, `16.11.26`, `16 11`, `2026-11-16`, `16112026`. A
 * missing year is that of `today`. Undefined if it cannot be parsed.
 *
 * @example parseTypedDate('16.11.26', '2026-11-21'); // '2026-11-16'
 */
export function parseTypedDate(text: string, today: string): string | undefined {
  const typed = text.trim().toLowerCase();
  const digits = /^(\d{2})(\d{2})(\d{4})$/.exec(typed);
  const parts = digits ? digits.slice(1) : typed.split(/[\s./,-]+/).filter(Boolean);
  if (parts.length < 2 || parts.length > 3) return undefined;
  const [day, month, year] = parts[0]!.length === 4 ? [parts[2], parts[1], parts[0]] : parts;
  const monthNumber = parseMonth(month!);
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
 * Parses a typed number, with a point or comma before its decimals. Undefined if it cannot be parsed.
 *
 * @example parseTypedNumber('12,5'); // 12.5
 */
export function parseTypedNumber(text: string): number | undefined {
  const plain = text
    .trim()
    .replace(/\s/g, '')
    .replace(/^([+-]?\d*),(\d+)$/, '$1.$2');
  return /^[+-]?(\d+(\.\d*)?|\.\d+)$/.test(plain) ? Number(plain) : undefined;
}
