import Box from '@mui/material/Box';
import Tooltip from '@mui/material/Tooltip';
import { useFigures } from '../../src/app/charts/useFigures';
import type { DueTask } from './figures';

/** The most names that a tooltip shows. */
const maxNames = 8;

/** A tooltip with the names of a day's tasks. */
export function DeadlineTooltip({ day, anchor }: { day: string; anchor: HTMLElement }) {
  const { data, isPlaceholderData } = useFigures<DueTask[]>(`/dashboard/deadlines?date=${day}`, ['tasks']);
  if (!data || isPlaceholderData || data.length === 0) return null;
  return (
    <Tooltip
      open
      title={
        <Box component="ul" sx={{ m: 0, p: 0, listStyle: 'none' }}>
          {data.slice(0, maxNames).map(({ id, name }) => (
            <li key={id}>{name}</li>
          ))}
          {data.length > maxNames && <li>and {data.length - maxNames} more</li>}
        </Box>
      }
      disableInteractive
      slotProps={{ popper: { anchorEl: anchor, sx: { pointerEvents: 'none' } } }}
    >
      <span hidden />
    </Tooltip>
  );
}
