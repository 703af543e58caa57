/** Arithmetic with days of the calendar, `YYYY-MM-DD`, and with instants, of the years 1 to 9999. */

interface Day {
  readonly year: number;
  readonly month: number;
  readonly day: number;
}

function partsOf(date: string): Day {
  return { year: Number(date.slice(0, 4)), month: Number(date.slice(5, 7)), day: Number(date.slice(8, 10)) };
}

/** `Date.UTC` means other years by the years 0 to 99. */
function instantOf({ year, month, day }: Day): Date {
  const instant = new Date(Date.UTC(2000, month - 1, day));
  instant.setUTCFullYear(year, month - 1, day);
  return instant;
}

function lastDayOf(year: number, month: number): number {
  return instantOf({ year, month: month + 1, day: 0 }).getUTCDate();
}

function write(instant: Date): string | undefined {
  const year = instant.getUTCFullYear();
  if (Number.isNaN(year) || year < 1 || year > 9999) return undefined;
  const two = (part: number) => String(part).padStart(2, '0');
  return `${String(year).padStart(4, '0')}-${two(instant.getUTCMonth() + 1)}-${two(instant.getUTCDate())}`;
}

/**
 * The whole months from one day to another: how many can be added without passing it. Below zero if the other is
 * earlier.
 *
 * @example monthsBetween('2026-01-31', '2026-02-28'); // 1, as a month after 31 January is 28 February
 */
export function monthsBetween(startDate: string, endDate: string): number {
  if (endDate < startDate) return -monthsBetween(endDate, startDate) || 0;
  const [start, end] = [partsOf(startDate), partsOf(endDate)];
  const months = (end.year - start.year) * 12 + end.month - start.month;
  return end.day < start.day && end.day < lastDayOf(end.year, end.month) ? months - 1 : months;
}

/** The day so many days later; undefined outside of the years 1 to 9999. */
export function addDays(date: string, days: number): string | undefined {
  return write(new Date(instantOf(partsOf(date)).getTime() + days * 86_400_000));
}

/**
 * The same day so many months later, or the last of a shorter month; undefined outside of the years 1 to 9999.
 *
 * @example addMonths('2026-01-31', 1); // '2026-02-28'
 */
export function addMonths(date: string, months: number): string | undefined {
  const { year, month, day } = partsOf(date);
  const count = year * 12 + month - 1 + months;
  const [nextYear, nextMonth] = [Math.floor(count / 12), (((count % 12) + 12) % 12) + 1];
  if (nextYear < 1 || nextYear > 9999) return undefined;
  return write(instantOf({ year: nextYear, month: nextMonth, day: Math.min(day, lastDayOf(nextYear, nextMonth)) }));
}

/**
 * The year, the month or the day of a day as a number.
 *
 * @example partOf('2026-11-21', 'month'); // 11
 */
export function partOf(date: string, part: keyof Day): number {
  return partsOf(date)[part];
}

/** The first and the last instant of these years, in milliseconds. */
export const instantLimits = { first: -62_135_596_800_000, last: 253_402_300_799_999 } as const;

/** The units of differences between instants, in milliseconds. They are lengths of time: no clock is set by them. */
export const milliseconds = { minute: 60_000, hour: 3_600_000 } as const;

/**
 * The instant so much later; undefined outside of the years 1 to 9999.
 *
 * @example addMilliseconds('2026-03-29T00:30:00.000Z', 3_600_000n); // '2026-03-29T01:30:00.000Z'
 */
export function addMilliseconds(instant: string, length: bigint): string | undefined {
  const sum = BigInt(Date.parse(instant)) + length;
  if (sum < instantLimits.first || sum > instantLimits.last) return undefined;
  return new Date(Number(sum)).toISOString();
}
