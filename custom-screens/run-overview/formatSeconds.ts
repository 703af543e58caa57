/**
 * A time span as it is said: `1 h 15 min`, `32 min`, and `45 s` below a minute.
 *
 * @example formatSeconds(4500); // '1 h 15 min'
 */
export function formatSeconds(seconds: number): string {
  if (seconds < 60) return `${Math.round(seconds)} s`;
  const minutes = Math.round(seconds / 60);
  const [hours, rest] = [Math.floor(minutes / 60), minutes % 60];
  return [hours > 0 && `${hours} h`, rest > 0 && `${rest} min`].filter(Boolean).join(' ');
}
