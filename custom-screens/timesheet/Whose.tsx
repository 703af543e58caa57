import Button from '@mui/material/Button';
import type { TimesheetState } from './state';

interface WhoseProps {
  state: TimesheetState;
  /** Whether the actor may see the hours of others. */
  mayAll: boolean;
  onEverybody: (everybody: boolean) => void;
}

/** Says whose hours the timesheet of a client or project shows, with a button to show everybody's if the actor may see them. */
export function Whose({ state: { everybody, filters }, mayAll, onEverybody }: WhoseProps) {
  const { user_id: user, ...narrowed } = filters;
  if (user !== undefined || (Object.keys(narrowed).length === 0 && !everybody)) return null;
  return (
    <p className="timesheet-whose" role="note">
      {everybody ? 'The hours of everybody.' : 'Your hours only.'}
      {mayAll && (
        <Button size="small" variant="text" onClick={() => onEverybody(!everybody)}>
          {everybody ? 'Show my hours' : 'Show everybody’s hours'}
        </Button>
      )}
    </p>
  );
}
