import { parseHours } from '../../src/engine/field-types/duration';
import { addDays } from '../../src/engine/formats/dates';
import { parseTypedDuration, parseTypedNumber } from '../../src/engine/formats/parse-typed-values';
import { firstDayOfWeek } from '../../src/engine/formats/personal';
import { formatDecimalHours } from './hours';
import { daysOfMonth, monthName, monthOf } from './months';
import type { TimeLog, TimesheetMonth } from './timesheetApi';

/** Weeks of the timesheet: days (`YYYY-MM-DD`) of the calendar, without hours and zones, so that clocks that change do not matter. */

/** The first day of the week that a day is in, as the person's weeks begin. */
export function firstDayOfWeekOf(day: string): string {
  const weekday = new Date(`${day}T00:00:00Z`).getUTCDay();
  return addDays(day, -((weekday - firstDayOfWeek() + 7) % 7));
}

/** The seven days of the week that begins with a day. */
export function daysOfWeek(first: string): string[] {
  return Array.from({ length: 7 }, (_, index) => addDays(first, index));
}

/** `23 to 29 November`, `30 November to 6 December`. */
export function weekName(first: string): string {
  const last = addDays(first, 6);
  const withYear = first.slice(0, 4) !== last.slice(0, 4);
  const end = `${Number(last.slice(8))} ${monthName(monthOf(last), withYear)}`;
  if (monthOf(first) === monthOf(last)) return `${Number(first.slice(8))} to ${end}`;
  return `${Number(first.slice(8))} ${monthName(monthOf(first), withYear)} to ${end}`;
}

/** The minutes of a log. */
export function minutesOf({ total_duration }: Pick<TimeLog, 'total_duration'>): number {
  return parseHours(total_duration) ?? 0;
}

/** Minutes as they are written in the cells: `1h:30m`; empty for none. */
export function formatMinutes(minutes: number): string {
  return minutes === 0 ? '' : formatDecimalHours(minutes / 60);
}

/**
 * The minutes that were typed into a cell: `1:30`, `1h30`, `90m`, and numbers alone as hours (`1.5`, `1,5`). Empty counts as none; undefined: it
 * cannot be read, or is more than a day has.
 *
 * @example parseCell('1.5'); // 90
 */
export function parseCell(text: string): number | undefined {
  const trimmedText = text.trim();
  if (trimmedText === '') return 0;
  const hours = parseTypedNumber(trimmedText.replace(/^(\d+)[.,](\d{1,2})$/, '$1.$2')) ?? Number.NaN;
  const minutes =
    parseTypedDuration(trimmedText) ?? (/^\d+([.,]\d{1,2})?$/.test(trimmedText) ? Math.round(hours * 60) : undefined);
  return minutes !== undefined && minutes <= 24 * 60 ? minutes : undefined;
}

/**
 * How far the hours of days are from their target, in words: `−0h:30m`, `+1h`, `met`; while there is time left `2h left`. Empty without
 * a target and hours.
 */
export function describeDifference(total: number, target: number, isOpen: boolean): string {
  const difference = Math.round((total - target) * 60);
  if (target === 0 && total === 0) return '';
  if (difference === 0) return 'met';
  const text = formatDecimalHours(Math.abs(difference) / 60);
  if (difference < 0 && isOpen) return `${text} left`;
  return `${difference < 0 ? '−' : '+'}${text}`;
}

interface WeekOfMonth {
  /** The first day of the whole week. */
  readonly first: string;
  /** Its days that are in the month. */
  readonly days: readonly string[];
  readonly total: number;
  readonly target: number;
}

/** The weeks of a month, the first and the last one as far as they are in it. */
export function weeksOfMonth({ month, days, targets }: TimesheetMonth): WeekOfMonth[] {
  const totals = new Map(days.map(({ date, total }) => [date, total]));
  const weeks = new Map<string, { days: string[]; total: number; target: number }>();
  daysOfMonth(month).forEach((day, index) => {
    const first = firstDayOfWeekOf(day);
    const week = weeks.get(first) ?? { days: [], total: 0, target: 0 };
    week.days.push(day);
    week.total += totals.get(day) ?? 0;
    week.target += targets[index] ?? 0;
    weeks.set(first, week);
  });
  return [...weeks].map(([first, week]) => ({ first, ...week }));
}
