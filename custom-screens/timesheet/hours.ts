import { formatNumber } from '../../src/engine/formats/numbers';

/** Decimal hours in words, minutes rolled into hours: `7.5` as `7h:30m`, `8` as `8h`, `0.75` as `0h:45m`. */
export function hoursInWords(hours: number): string {
  const minutes = Math.round(hours * 60);
  const rest = minutes % 60;
  const whole = `${formatNumber(Math.floor(minutes / 60))}h`;
  return rest === 0 ? whole : `${whole}:${String(rest).padStart(2, '0')}m`;
}

/** A full working day: what a day's line is measured by in a month without a longer one. */
const workday = 8;

/** How much of its line each day fills, in percent, by day: the longest of the month, or a working day, fills it. */
export function shares(days: readonly { date: string; total: number }[]): Map<string, number> {
  const longest = Math.max(workday, ...days.map(({ total }) => total));
  return new Map(days.map(({ date, total }) => [date, Math.round((total / longest) * 100)]));
}
