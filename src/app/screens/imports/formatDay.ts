import { dayInTimeZone, shortMonthNames } from '../../../engine/formats/dates';
import { personal, personalFormatter } from '../../../engine/formats/personal';

const dayOfYear = personalFormatter({ day: 'numeric', month: 'short', timeZone: 'UTC' });
const dayOfOtherYear = personalFormatter({ day: 'numeric', month: 'short', year: 'numeric', timeZone: 'UTC' });

/** The day of an instant in the browser's time zone: `12 Nov`, with the year if it is not the current one. */
export function formatDay(instant: string, now = new Date()): string {
  const zone = Intl.DateTimeFormat().resolvedOptions().timeZone;
  const [year, month, day] = dayInTimeZone(zone, new Date(instant)).split('-');
  const [thisYear] = dayInTimeZone(zone, now).split('-');
  if (personal)
    return (year === thisYear ? dayOfYear : dayOfOtherYear)().format(Date.parse(`${year}-${month}-${day}T00:00:00Z`));
  return `${Number(day)} ${shortMonthNames[Number(month) - 1]}${year === thisYear ? '' : ` ${year}`}`;
}
