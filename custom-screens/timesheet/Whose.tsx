import Button from '@mui/material/Button';
import type { TimesheetState } from './state';

interface WhoseProps {
  state: TimesheetState;
  /** Others' hours may be asked for. */
  mayAll: boolean;
  onEverybody: (everybody: boolean) => void;
}

/** Says whose hours a sheet of a client or project shows, and leads to everybody's where they may be seen. */
export function Whose({ state: { everybody, filters }, mayAll, onEverybody }: WhoseProps) {
  const { user_id: user, ...narrowed } = filters;
  if (user !== undefined || (Object.keys(narrowed).length === 0 && !everybody)) return null;
  return (
    <p className="timesheet-whose" role="note">
      {everybody ? 'The hours of everybody.' : 'Your hours alone.'}
      {mayAll && (
        <Button size="small" variant="text" onClick={() => onEverybody(!everybody)}>
          {everybody ? 'Show my hours' : 'Show everybody’s hours'}
        </Button>
      )}
    </p>
  );
}
