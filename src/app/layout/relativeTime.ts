import { personalFormatter } from '../../engine/formats/personal';

const minute = 60_000;
const hour = 60 * minute;
const day = 24 * hour;

const dayOfYear = personalFormatter({ day: 'numeric', month: 'short' });
const dayOfOtherYear = personalFormatter({ day: 'numeric', month: 'short', year: 'numeric' });

/**
 * How long ago an instant was, in short: "now", "18 min", "4 h", "Yesterday", "18 Nov", "18 Nov 2025".
 *
 * @example relativeTime(record.updated_at); // '18 min'
 */
export function relativeTime(iso: string, now: Date = new Date()): string {
  const instant = new Date(iso);
  const elapsed = now.getTime() - instant.getTime();
  if (Number.isNaN(elapsed)) return '';
  if (elapsed < minute) return 'now';
  if (elapsed < hour) return `${Math.floor(elapsed / minute)} min`;
  const midnight = (date: Date) => new Date(date.getFullYear(), date.getMonth(), date.getDate()).getTime();
  const days = Math.round((midnight(now) - midnight(instant)) / day);
  if (days === 0) return `${Math.floor(elapsed / hour)} h`;
  if (days === 1) return 'Yesterday';
  return (instant.getFullYear() === now.getFullYear() ? dayOfYear : dayOfOtherYear)().format(instant);
}
