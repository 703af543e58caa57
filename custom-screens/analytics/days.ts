import { dayInTimeZone, addDays } from '../../src/engine/formats/dates';

const zone = Intl.DateTimeFormat().resolvedOptions().timeZone;

/** The date (YYYY-MM-DD) so many days from today in the browser's time zone. */
export function dayFromToday(days: number): string {
  return addDays(dayInTimeZone(zone), days);
}
