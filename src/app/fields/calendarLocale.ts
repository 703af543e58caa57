import dayjs from 'dayjs';
import enGb from 'dayjs/locale/en-gb';
import { firstDayOfWeek, personal, personalFormatter, personalLocale } from '../../engine/formats/personal';

const utc = { timeZone: 'UTC' } as const;
const [month, shortMonth, weekday, shortWeekday] = [
  personalFormatter({ ...utc, month: 'long' }),
  personalFormatter({ ...utc, month: 'short' }),
  personalFormatter({ ...utc, weekday: 'long' }),
  personalFormatter({ ...utc, weekday: 'short' }),
];

/**
 * The name of the locale that calendars to pick from use: months, weekdays and the first day of the week as the person
 * chose; British English for everybody else.
 *
 * @example <LocalizationProvider dateAdapter={AdapterDayjs} adapterLocale={localeOfCalendars()} />
 */
export function localeOfCalendars(): string {
  if (!personal && firstDayOfWeek() === enGb.weekStart) return enGb.name;
  const name = `${personalLocale('en-gb')}-${firstDayOfWeek()}`.toLowerCase();
  const months = Array.from({ length: 12 }, (_, index) => new Date(Date.UTC(2026, index, 5)));
  // 4 January 2026 is a Sunday.
  const days = Array.from({ length: 7 }, (_, index) => new Date(Date.UTC(2026, 0, 4 + index)));
  const locale = {
    ...enGb,
    name,
    weekStart: firstDayOfWeek(),
    months: months.map((date) => month().format(date)),
    monthsShort: months.map((date) => shortMonth().format(date)),
    weekdays: days.map((date) => weekday().format(date)),
    weekdaysShort: days.map((date) => shortWeekday().format(date)),
    weekdaysMin: days.map((date) => shortWeekday().format(date).slice(0, 2)),
  };
  dayjs.locale(locale, undefined, true);
  return name;
}
