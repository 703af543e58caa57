import { addDays, daysOfMonth } from '../../../engine/formats/dates';
import { firstDayOfWeek } from '../../../engine/formats/personal';
import type { Span } from './spans';

/** The part of a record's bar in a row of days. */
export interface Segment<Id = unknown> {
  readonly id: Id;
  /** The first and the last column, from 0. */
  readonly from: number;
  readonly to: number;
  /** From 0 at the top; no two bars of a lane share a column. */
  readonly lane: number;
  /** The bar begins or ends here, and is not cut off by the edge of the row. */
  readonly isStart: boolean;
  readonly isEnd: boolean;
}

/** The days from one to another; negative if the other is earlier. */
export function daysBetween(from: string, to: string): number {
  return Math.round((Date.parse(to) - Date.parse(from)) / 86_400_000);
}

/** The first day of a day's week, as the person begins weeks. */
export function weekOf(day: string): string {
  return addDays(day, -((new Date(day).getUTCDay() - firstDayOfWeek() + 7) % 7));
}

/** Whether a day is a Saturday or Sunday. */
export function isWeekend(day: string): boolean {
  return new Date(day).getUTCDay() % 6 === 0;
}

/** So many days from one on. */
export function daysFrom(first: string, count: number): string[] {
  return Array.from({ length: count }, (_, index) => addDays(first, index));
}

/** The first days of the weeks that a month has days in. */
export function weeksOfMonth(day: string): string[] {
  const { first, last } = daysOfMonth(day.slice(0, 7))!;
  const begin = weekOf(first);
  return daysFrom(begin, daysBetween(begin, last) + 1).filter((_, index) => index % 7 === 0);
}

/** The same day so many months later or earlier, or the last of a shorter month. */
export function addMonths(day: string, count: number): string {
  const at = Number(day.slice(0, 4)) * 12 + Number(day.slice(5, 7)) - 1 + count;
  const month = `${String(Math.floor(at / 12)).padStart(4, '0')}-${String((at % 12) + 1).padStart(2, '0')}`;
  const { last } = daysOfMonth(month)!;
  const made = `${month}-${day.slice(8)}`;
  return made < last ? made : last;
}

/**
 * Places bars in a row of days: each in the uppermost lane where it is free, the earliest first, of these the longest. What
 * lies outside is left out, what begins or ends outside is cut off at the edge.
 */
export function placeBars<Id>(
  bars: readonly { readonly id: Id; readonly span: Span }[],
  first: string,
  count: number,
): Segment<Id>[] {
  const last = addDays(first, count - 1);
  const shown = bars
    .filter(({ span }) => span.from <= last && span.to >= first)
    .toSorted((one, other) => compare(one.span.from, other.span.from) || compare(other.span.to, one.span.to));
  // The first free column of each lane.
  const free: number[] = [];
  return shown.map(({ id, span }) => {
    const from = Math.max(0, daysBetween(first, span.from));
    const to = Math.min(count - 1, daysBetween(first, span.to));
    const found = free.findIndex((column) => column <= from);
    const lane = found < 0 ? free.length : found;
    free[lane] = to + 1;
    return { id, from, to, lane, isStart: span.from >= first, isEnd: span.to <= last };
  });
}

/** How many bars of each column are below the lanes that are shown. */
export function hiddenBars(segments: readonly Segment[], count: number, lanes: number): number[] {
  return Array.from(
    { length: count },
    (_, column) => segments.filter(({ from, to, lane }) => lane >= lanes && from <= column && column <= to).length,
  );
}

export type Direction = 'left' | 'right' | 'up' | 'down';

/**
 * The bar that an arrow key leads to, given the rows of days as they are shown: left and right the one before and after in
 * reading order, up and down the nearest in the lane or row above and below. The same one if there is none.
 */
export function nextBar<Id>(rows: readonly (readonly Segment<Id>[])[], id: Id, direction: Direction): Id {
  const all = rows.flatMap((segments, row) =>
    segments
      .toSorted((one, other) => one.from - other.from || one.lane - other.lane)
      .map((segment) => ({ ...segment, row })),
  );
  const own = all.find((one) => one.id === id);
  if (!own) return all[0]?.id ?? id;
  if (direction === 'left' || direction === 'right') {
    // A bar that goes on in the next row is one stop.
    const stops = all.filter((one, index) => all.findIndex((other) => other.id === one.id) === index);
    const at = stops.findIndex((one) => one.id === id);
    return (stops[at + (direction === 'left' ? -1 : 1)] ?? own).id;
  }
  const sign = direction === 'up' ? -1 : 1;
  const height = (one: { row: number; lane: number }) => one.row * 1_000 + one.lane;
  const away = (one: Segment) => Math.max(one.from - own.to, own.from - one.to, 0);
  const ways = all
    .filter(
      (one) => one.id !== id && sign * (height(one) - height(own)) > 0 && (one.row !== own.row || away(one) === 0),
    )
    .toSorted(
      (one, other) => sign * (one.row - other.row) || away(one) - away(other) || sign * (one.lane - other.lane),
    );
  return (ways[0] ?? own).id;
}

function compare(one: string, other: string): number {
  return one < other ? -1 : one > other ? 1 : 0;
}
