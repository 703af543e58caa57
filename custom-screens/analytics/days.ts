import { dayIn } from '../../src/engine/formats/dates';

const zone = Intl.DateTimeFormat().resolvedOptions().timeZone;

/** A day (YYYY-MM-DD) so many days from the reader's today. */
export function dayFromToday(days: number): string {
  const [year, month, day] = dayIn(zone).split('-').map(Number) as [number, number, number];
  return new Date(Date.UTC(year, month - 1, day + days)).toISOString().slice(0, 10);
}
