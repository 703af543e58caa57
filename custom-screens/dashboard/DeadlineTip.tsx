import Tooltip from '@mui/material/Tooltip';
import { useFigures } from '../../src/app/charts/useFigures';
import type { DueTask } from './figures';

/** The most names that a tooltip shows. */
const most = 8;

/** A tooltip with the names of a day's tasks. */
export function DeadlineTip({ day, anchor }: { day: string; anchor: HTMLElement }) {
  const { data, isPlaceholderData } = useFigures<DueTask[]>(`/dashboard/deadlines?date=${day}`, ['tasks']);
  if (!data || isPlaceholderData || data.length === 0) return null;
  return (
    <Tooltip
      open
      title={
        <ul className="cal-tip">
          {data.slice(0, most).map(({ id, name }) => (
            <li key={id}>{name}</li>
          ))}
          {data.length > most && <li>and {data.length - most} more</li>}
        </ul>
      }
      disableInteractive
      slotProps={{ popper: { anchorEl: anchor, sx: { pointerEvents: 'none' } } }}
    >
      <span hidden />
    </Tooltip>
  );
}
