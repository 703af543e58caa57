const timeFormat = new Intl.DateTimeFormat('en-GB', { hour: '2-digit', minute: '2-digit' });
const dateTimeFormat = new Intl.DateTimeFormat('en-GB', {
  day: 'numeric',
  month: 'short',
  hour: '2-digit',
  minute: '2-digit',
});

/** The time of an instant given in milliseconds, such as `10:42`; with its date if it is not today. */
export function formatClockTime(at: number): string {
  const isToday = new Date(at).toDateString() === new Date().toDateString();
  return (isToday ? timeFormat : dateTimeFormat).format(at);
}
