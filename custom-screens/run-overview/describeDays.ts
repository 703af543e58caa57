import { formatNumber } from '../../src/engine/formats/numbers';

/**
 * How far a day is away, as it is said after the day; empty for an unfinished one.
 *
 * @example describeDays('2026-12-01', '2026-11-27'); // ', in 4 days'
 */
export function describeDays(day: string, today: string): string {
  const days = Math.round((Date.parse(day) - Date.parse(today)) / 86_400_000);
  if (Number.isNaN(days)) return '';
  if (days === 0) return ', today';
  if (days === 1) return ', tomorrow';
  return days > 0 ? `, in ${formatNumber(days)} days` : `, ${formatNumber(-days)} ${days === -1 ? 'day' : 'days'} late`;
}
