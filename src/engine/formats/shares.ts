import { formatNumber } from './numbers';

/**
 * A share in per cent, rounded, but never to 100 while something is left, and never to 0 while there is something; null
 * where there is nothing to have a share of.
 *
 * @example percentOf(24_999, 25_000); // 99
 * @example percentOf(1, 25_000, 1); // 0.1
 */
export function percentOf(part: number, total: number, digits = 0): number | null {
  if (!(total > 0)) return null;
  const factor = 10 ** digits;
  const roundedShare = Math.round((100 * factor * part) / total);
  const [minimum, maximum] = [part > 0 ? 1 : 0, part < total ? 100 * factor - 1 : roundedShare];
  return Math.min(Math.max(roundedShare, minimum), maximum) / factor;
}

/**
 * A share as a text; of nothing, a dash.
 *
 * @example formatShare(24_999, 25_000, 1); // '99.9%'
 */
export function formatShare(part: number, total: number, digits = 0): string {
  const percent = percentOf(part, total, digits);
  return percent === null ? '–' : `${formatNumber(percent)}%`;
}
