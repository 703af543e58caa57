import { describeDuration } from '../../src/engine/formats/durations';

/**
 * A time span as it is said: `1 h 15 min`, `32 min`, and `45 s` below a minute.
 *
 * @example formatSeconds(4500); // '1 h 15 min'
 */
export function formatSeconds(seconds: number): string {
  if (seconds < 60) return `${Math.round(seconds)} s`;
  return describeDuration(seconds / 60);
}
