import { addDays, daysBetween, daysOfMonth } from '../../../engine/formats/dates';
import { firstDayOfWeek } from '../../../engine/formats/personal';
import { requireValue } from '../../../engine/values/lookups';
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

const daysOf = (month: string) => requireValue(daysOfMonth(month), `the days of ${month}`);

/** The first days of the weeks that a month has days in. */
export function weeksOfMonth(day: string): string[] {
  const { first, last } = daysOf(day.slice(0, 7));
  const begin = weekOf(first);
  return daysFrom(begin, daysBetween(begin, last) + 1).filter((_, index) => index % 7 === 0);
}

/** The same day so many months later or earlier, or the last of a shorter month. */
export function addMonths(day: string, count: number): string {
  const monthCount = Number(day.slice(0, 4)) * 12 + Number(day.slice(5, 7)) - 1 + count;
  const month = `${String(Math.floor(monthCount / 12)).padStart(4, '0')}-${String((monthCount % 12) + 1).padStart(2, '0')}`;
  const { last } = daysOf(month);
  const sameDay = `${month}-${day.slice(8)}`;
  return sameDay < last ? sameDay : last;
}

/**
 * Places bars in a row of days: each in the uppermost lane where it is free, open ones before those that are done, then the
 * earliest first, of these the longest. Bars
 * outside of the row are left out, those that begin or end outside are cut off at the edge.
 */
export function placeBars<Id>(
  bars: readonly { readonly id: Id; readonly span: Span; readonly isDone?: boolean }[],
  first: string,
  count: number,
): Segment<Id>[] {
  const last = addDays(first, count - 1);
  const visibleBars = bars
    .filter(({ span }) => span.from <= last && span.to >= first)
    .toSorted(
      (left, right) =>
        Number(left.isDone ?? false) - Number(right.isDone ?? false) ||
        compare(left.span.from, right.span.from) ||
        compare(right.span.to, left.span.to),
    );
  const takenColumns: Set<number>[] = [];
  return visibleBars.map(({ id, span }) => {
    const firstColumn = Math.max(0, daysBetween(first, span.from));
    const lastColumn = Math.min(count - 1, daysBetween(first, span.to));
    const columns = Array.from({ length: lastColumn - firstColumn + 1 }, (_, index) => firstColumn + index);
    const freeLane = takenColumns.findIndex((taken) => !columns.some((column) => taken.has(column)));
    const laneIndex = freeLane < 0 ? takenColumns.length : freeLane;
    takenColumns[laneIndex] = new Set([...(takenColumns[laneIndex] ?? []), ...columns]);
    return {
      id,
      from: firstColumn,
      to: lastColumn,
      lane: laneIndex,
      isStart: span.from >= first,
      isEnd: span.to <= last,
    };
  });
}

export type Direction = 'left' | 'right' | 'up' | 'down';

/**
 * The bar that an arrow key leads to, given the rows of days as they are shown: left and right the one before and after in
 * reading order, up and down the nearest in the lane or row above and below. The same one if there is none.
 */
export function nextBar<Id>(rows: readonly (readonly Segment<Id>[])[], id: Id, direction: Direction): Id {
  const allSegments = rows.flatMap((segments, row) =>
    segments
      .toSorted((left, right) => left.from - right.from || left.lane - right.lane)
      .map((segment) => ({ ...segment, row })),
  );
  const ownSegment = allSegments.find((candidate) => candidate.id === id);
  if (!ownSegment) return allSegments[0]?.id ?? id;
  if (direction === 'left' || direction === 'right') {
    // A bar that goes on in the next row is one stop.
    const stops = allSegments.filter(
      (segment, index) => allSegments.findIndex((candidate) => candidate.id === segment.id) === index,
    );
    const stopIndex = stops.findIndex((stop) => stop.id === id);
    return (stops[stopIndex + (direction === 'left' ? -1 : 1)] ?? ownSegment).id;
  }
  const sign = direction === 'up' ? -1 : 1;
  const height = (segment: { row: number; lane: number }) => segment.row * 1_000 + segment.lane;
  const columnDistance = (segment: Segment) => Math.max(segment.from - ownSegment.to, ownSegment.from - segment.to, 0);
  const targets = allSegments
    .filter(
      (candidate) =>
        candidate.id !== id &&
        sign * (height(candidate) - height(ownSegment)) > 0 &&
        (candidate.row !== ownSegment.row || columnDistance(candidate) === 0),
    )
    .toSorted(
      (left, right) =>
        sign * (left.row - right.row) ||
        columnDistance(left) - columnDistance(right) ||
        sign * (left.lane - right.lane),
    );
  return (targets[0] ?? ownSegment).id;
}

function compare(left: string, right: string): number {
  return left < right ? -1 : left > right ? 1 : 0;
}
