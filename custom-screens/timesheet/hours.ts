import { formatNumber } from '../../src/engine/formats/numbers';

/** Decimal hours in words, minutes rolled into hours: `7.5` as `7h:30m`, `8` as `8h`, `0.75` as `0h:45m`. */
export function formatDecimalHours(hours: number): string {
  const minutes = Math.round(hours * 60);
  const rest = minutes % 60;
  const wholeHours = `${formatNumber(Math.floor(minutes / 60))}h`;
  return rest === 0 ? wholeHours : `${wholeHours}:${String(rest).padStart(2, '0')}m`;
}

/** The hours of a full working day: the scale of the lines in a month without a longer day. */
const workday = 8;

/** The length of each day's line in percent, by day; the longest day of the month, or a working day, is 100. */
export function dayShares(days: readonly { date: string; total: number }[]): Map<string, number> {
  const longest = Math.max(workday, ...days.map(({ total }) => total));
  return new Map(days.map(({ date, total }) => [date, Math.round((total / longest) * 100)]));
}
