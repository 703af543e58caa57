import { formatNumber } from './numbers';

/**
 * A share in per cent, rounded, but never to 100 while something is left, and never to 0 while there is something; null
 * where there is nothing to have a share of.
 *
 * @example percentOf(24_999, 25_000); // 99
 * @example percentOf(1, 25_000, 1); // 0.1
 */
export function percentOf(part: number, whole: number, digits = 0): number | null {
  if (!(whole > 0)) return null;
  const factor = 10 ** digits;
  const rounded = Math.round((100 * factor * part) / whole);
  const [least, most] = [part > 0 ? 1 : 0, part < whole ? 100 * factor - 1 : rounded];
  return Math.min(Math.max(rounded, least), most) / factor;
}

/**
 * A share as a text; of nothing, a dash.
 *
 * @example formatShare(24_999, 25_000, 1); // '99.9%'
 */
export function formatShare(part: number, whole: number, digits = 0): string {
  const percent = percentOf(part, whole, digits);
  return percent === null ? '–' : `${formatNumber(percent)}%`;
}
