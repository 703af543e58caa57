import { addDays } from '../formats/dates';

type Unit = 'd' | 'w' | 'm' | 'y' | 'h' | 'min';

/** A variable such as `$today+7d` or `$now-3h`. */
export interface RelativeTime {
  readonly root: 'today' | 'now';
  /** Negative for the past. */
  readonly amount: number;
  readonly unit: Unit;
}

/** Months and years have a calendar's lengths, hours and minutes a clock's: each variable has the units of its own. */
const unitsByRoot: Readonly<Record<RelativeTime['root'], readonly Unit[]>> = {
  today: ['d', 'w', 'm', 'y'],
  now: ['min', 'h', 'd', 'w'],
};

/**
 * Parses `$today+7d`, `$today-2w`, `$today+1m`, `$today+1y`, `$now-3h`, `$now+30min`; undefined for anything else.
 *
 * @example parseRelativeTime('$today-2w'); // { root: 'today', amount: -2, unit: 'w' }
 */
export function parseRelativeTime(variable: string): RelativeTime | undefined {
  const match = /^\$(today|now)([+-])(\d{1,4})([a-z]+)$/.exec(variable);
  if (!match) return undefined;
  const [root, unit] = [match[1] as RelativeTime['root'], match[4] as Unit];
  return unitsByRoot[root].includes(unit) ? { root, amount: Number(`${match[2]}${match[3]}`), unit } : undefined;
}

/** How a time relative to now is written, for messages. */
export const relativeTimeForms = '"$today" with d, w, m or y ("$today+7d"), "$now" with min, h, d or w ("$now-3h")';

/**
 * The day so far from a day. A month later is the same day of it, or its last one. Stays within the years 1 to 9999.
 *
 * @example shiftDay('2026-01-31', { amount: 1, unit: 'm' }); // '2026-02-28'
 */
export function shiftDay(day: string, { amount, unit }: Pick<RelativeTime, 'amount' | 'unit'>): string {
  if (unit === 'd' || unit === 'w') return clampDay(addDays(day, amount * (unit === 'w' ? 7 : 1)));
  const [year, month, date] = day.split('-').map(Number) as [number, number, number];
  const months = year * 12 + (month - 1) + amount * (unit === 'y' ? 12 : 1);
  const first = new Date(0);
  first.setUTCFullYear(Math.floor(months / 12), months - Math.floor(months / 12) * 12, 1);
  const last = new Date(first);
  last.setUTCMonth(last.getUTCMonth() + 1, 0);
  first.setUTCDate(Math.min(date, last.getUTCDate()));
  return clampDay(first.toISOString().slice(0, -'T00:00:00.000Z'.length));
}

/** The instant so far from an instant. */
export function shiftInstant(instant: string, { amount, unit }: Pick<RelativeTime, 'amount' | 'unit'>): string {
  const minutes: Partial<Record<Unit, number>> = { min: 1, h: 60, d: 1_440, w: 10_080 };
  return new Date(Date.parse(instant) + amount * (minutes[unit] ?? 0) * 60_000).toISOString();
}

const unitWords: Readonly<Record<Unit, string>> = {
  d: 'day',
  w: 'week',
  m: 'month',
  y: 'year',
  h: 'hour',
  min: 'minute',
};

/** `7 days after today`, `3 hours ago`. */
export function describeRelativeTime({ root, amount, unit }: RelativeTime): string {
  const size = Math.abs(amount);
  const words = `${size} ${unitWords[unit]}${size === 1 ? '' : 's'}`;
  if (root === 'now') return amount < 0 ? `${words} ago` : `in ${words}`;
  return `${words} ${amount < 0 ? 'before' : 'after'} today`;
}

function clampDay(day: string): string {
  if (day.startsWith('-')) return '0001-01-01';
  if (day.startsWith('+')) return '9999-12-31';
  return day < '0001-01-01' ? '0001-01-01' : day;
}
