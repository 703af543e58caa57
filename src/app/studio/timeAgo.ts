import { formatInstant } from '../../engine/formats/dates';

/** How long ago something was: `40 seconds ago`, `10 minutes ago`; the date and time if it was more than a day ago. */
export function timeAgo(iso: string, now = Date.now()): string {
  const milliseconds = now - Date.parse(iso);
  return milliseconds < 24 * 3_600_000 ? formatAge(milliseconds) : `on ${formatInstant(iso)}`;
}

/** `40 seconds ago`, `2 minutes ago`. */
export function formatAge(milliseconds: number): string {
  const seconds = Math.max(0, Math.round(milliseconds / 1000));
  const [count, unit] =
    seconds < 60
      ? [seconds, 'second']
      : seconds < 3600
        ? [Math.floor(seconds / 60), 'minute']
        : [Math.floor(seconds / 3600), 'hour'];
  return seconds < 1 ? 'just now' : `${count} ${unit}${count === 1 ? '' : 's'} ago`;
}
