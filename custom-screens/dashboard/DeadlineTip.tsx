import Tooltip from '@mui/material/Tooltip';
import { useFigures } from '../../src/app/charts/useFigures';
import type { DueTask } from './figures';

/** Names that a tip has place for. */
const most = 8;

/** Names the tasks of a day beside the number that stands for them. */
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
