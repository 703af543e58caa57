import Button from '@mui/material/Button';
import type { TimesheetState } from './timesheetState';
import * as styles from './timesheet.module.css';

interface WhoseHoursProps {
  state: TimesheetState;
  /** Whether the actor may see the hours of others. */
  canSeeEverybody: boolean;
  onEverybody: (everybody: boolean) => void;
}

/** Says whose hours the timesheet of a client or project shows, with a button to show everybody's if the actor may see them. */
export function WhoseHours({ state: { includesEveryone, filters }, canSeeEverybody, onEverybody }: WhoseHoursProps) {
  const { user_id: user, ...otherFilters } = filters;
  if (user !== undefined || (Object.keys(otherFilters).length === 0 && !includesEveryone)) return null;
  return (
    <p className={styles.timesheetWhose} role="note">
      {includesEveryone ? 'The hours of everybody.' : 'Your hours only.'}
      {canSeeEverybody && (
        <Button size="small" variant="text" onClick={() => onEverybody(!includesEveryone)}>
          {includesEveryone ? 'Show my hours' : 'Show everybody’s hours'}
        </Button>
      )}
    </p>
  );
}
