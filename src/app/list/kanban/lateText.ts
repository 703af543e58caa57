import { formatNumber } from '../../../engine/formats/numbers';
import { isDate } from '../../../engine/formats/dates';

/** How late a record is: `3 days late`; `Late` without a due date. */
export function lateText(dueDate: unknown, today: string): string {
  if (typeof dueDate !== 'string' || !isDate(dueDate.slice(0, 10))) return 'Late';
  const days = Math.round((Date.parse(today) - Date.parse(dueDate.slice(0, 10))) / 86_400_000);
  return days < 1 ? 'Late' : days === 1 ? '1 day late' : `${formatNumber(days)} days late`;
}
