import { formatNumber } from './numbers';

/**
 * Minutes as tables have them: `1:15`, `1,200:00`, `0:00`.
 *
 * @example formatDuration(75); // '1:15'
 */
export function formatDuration(minutes: number): string {
  const length = Math.round(Math.abs(minutes));
  const text = `${formatNumber(Math.floor(length / 60))}:${String(length % 60).padStart(2, '0')}`;
  return minutes < 0 && length > 0 ? `−${text}` : text;
}

/**
 * Minutes as sentences have them: `1 h 15 min`, `2 h`, `45 min`.
 *
 * @example describeDuration(75); // '1 h 15 min'
 */
export function describeDuration(minutes: number): string {
  const length = Math.round(Math.abs(minutes));
  const [hours, rest] = [Math.floor(length / 60), length % 60];
  const text = [hours > 0 && `${formatNumber(hours)} h`, (rest > 0 || hours === 0) && `${rest} min`]
    .filter(Boolean)
    .join(' ');
  return minutes < 0 && length > 0 ? `−${text}` : text;
}
