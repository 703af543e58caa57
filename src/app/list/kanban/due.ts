import { formatNumber } from '../../../engine/formats/numbers';
import { isDate, shortMonthNames } from '../../../engine/formats/dates';

/** A day in short: `30 Nov`, with the year if it differs from that of `today`. Both `YYYY-MM-DD`. */
export function shortDay(day: string, today: string): string {
  const [year = '', month = '', date = ''] = day.slice(0, 10).split('-');
  const text = `${Number(date)} ${shortMonthNames[Number(month) - 1] ?? month}`;
  return year === today.slice(0, 4) ? text : `${text} ${year}`;
}

/** How late a record is: `3 days late`; `Late` without a due date. */
export function lateText(due: unknown, today: string): string {
  if (typeof due !== 'string' || !isDate(due.slice(0, 10))) return 'Late';
  const days = Math.round((Date.parse(today) - Date.parse(due.slice(0, 10))) / 86_400_000);
  return days < 1 ? 'Late' : days === 1 ? '1 day late' : `${formatNumber(days)} days late`;
}
