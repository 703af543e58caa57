import { personalFormatter } from '../../engine/formats/personal';

const timeFormat = personalFormatter({ hour: '2-digit', minute: '2-digit' });
const dateTimeFormat = personalFormatter({
  day: 'numeric',
  month: 'short',
  hour: '2-digit',
  minute: '2-digit',
});

/** The time of an instant given in milliseconds, such as `10:42`; with its date if it is not today. */
export function formatClockTime(instant: number): string {
  const isToday = new Date(instant).toDateString() === new Date().toDateString();
  return (isToday ? timeFormat : dateTimeFormat)().format(instant);
}
