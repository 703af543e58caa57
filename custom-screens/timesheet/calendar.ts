import type { CalendarOptions } from '@fullcalendar/react';
import enGb from '@fullcalendar/react/locales/en-gb';
import interaction from '@fullcalendar/react/interaction';
import theme from '@fullcalendar/react/themes/classic';
import { firstDayOfWeek, personalLocale } from '../../src/engine/formats/personal';
import '@fullcalendar/react/skeleton.css';
import '@fullcalendar/react/themes/classic/theme.css';

/** Options of every calendar of the timesheet. Dates in UTC represent local wall-clock time: logs have no time zone. */
export const sharedOptions = {
  locales: [enGb],
  // Read when a calendar is shown: the person may have chosen others since.
  get locale() {
    return personalLocale('en-gb');
  },
  get firstDay() {
    return firstDayOfWeek();
  },
  timeZone: 'UTC',
  now: wallClock,
  headerToolbar: false,
  borderless: true,
} satisfies CalendarOptions;

export { interaction, theme };

/** The day (`YYYY-MM-DD`) of a calendar's date. */
export function dayOf(date: Date): string {
  return date.toISOString().slice(0, 10);
}

/** The day of what ends at a calendar's date: midnight is the end of the day before. */
export function lastDayOf(end: Date): string {
  return dayOf(new Date(end.getTime() - 1));
}

/** The time of day (`HH:mm`) of a calendar's date. */
export function timeOf(date: Date): string {
  return date.toISOString().slice(11, 16);
}

function wallClock(): string {
  const now = new Date();
  return new Date(now.getTime() - now.getTimezoneOffset() * 60_000).toISOString();
}
