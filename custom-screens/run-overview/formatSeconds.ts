/**
 * A time span in short: `11h:20m`, or `04m:12s` below an hour.
 *
 * @example formatSeconds(252); // '04m:12s'
 */
export function formatSeconds(seconds: number): string {
  const wholeSeconds = Math.round(seconds);
  const two = (value: number) => String(value).padStart(2, '0');
  if (wholeSeconds < 3600) return `${two(Math.floor(wholeSeconds / 60))}m:${two(wholeSeconds % 60)}s`;
  const minutes = Math.round(wholeSeconds / 60);
  return `${Math.floor(minutes / 60)}h:${two(minutes % 60)}m`;
}
