import Button from '@mui/material/Button';
import { Row } from '../../src/app/layout/Row';
import type { TimesheetState } from './timesheetState';

interface HoursScopeProps {
  state: TimesheetState;
  /** Whether the actor may see the hours of others. */
  canSeeEveryone: boolean;
  onIncludesEveryoneChange: (includesEveryone: boolean) => void;
}

/** Says whose hours the timesheet of a client or project shows, with a button to show everybody's if the actor may see them. */
export function HoursScope({
  state: { includesEveryone, filters },
  canSeeEveryone,
  onIncludesEveryoneChange,
}: HoursScopeProps) {
  const { user_id: user, ...otherFilters } = filters;
  if (user !== undefined || (Object.keys(otherFilters).length === 0 && !includesEveryone)) return null;
  return (
    <Row
      component="p"
      spacing={2}
      sx={{ flex: 'none', mx: 'var(--gutter)', mb: 2, color: 'var(--t2)', fontSize: 13 }}
      role="note"
    >
      {includesEveryone ? 'The hours of everybody.' : 'Your hours only.'}
      {canSeeEveryone && (
        <Button size="small" variant="text" onClick={() => onIncludesEveryoneChange(!includesEveryone)}>
          {includesEveryone ? 'Show my hours' : 'Show everybody’s hours'}
        </Button>
      )}
    </Row>
  );
}
