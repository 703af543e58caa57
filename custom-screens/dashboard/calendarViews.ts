/** How a calendar can be looked at: FullCalendar's names, and ours. */
export const calendarViews = [
  { name: 'dayGridMonth', label: 'Month', step: 'month' },
  { name: 'dayGridWeek', label: 'Week', step: 'week' },
  { name: 'dayGridDay', label: 'Day', step: 'day' },
  { name: 'listWeek', label: 'List week', step: 'week' },
] as const;

export type CalendarView = (typeof calendarViews)[number];

/** The days that a month's six weeks show, Monday first: the first and the last, `YYYY-MM-DD`. */
export function monthSpan(day: string): { from: string; to: string } {
  const [year, month] = day.split('-').map(Number) as [number, number];
  const first = new Date(Date.UTC(year, month - 1, 1));
  const before = (first.getUTCDay() + 6) % 7;
  const dayAt = (offset: number) => new Date(first.getTime() + offset * 86_400_000).toISOString().slice(0, 10);
  return { from: dayAt(-before), to: dayAt(41 - before) };
}
