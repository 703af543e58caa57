import { dayIn, daysLater } from '../../src/engine/formats/dates';

const zone = Intl.DateTimeFormat().resolvedOptions().timeZone;

/** A day (YYYY-MM-DD) so many days from the reader's today. */
export function dayFromToday(days: number): string {
  return daysLater(dayIn(zone), days);
}
