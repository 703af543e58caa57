import Button from '@mui/material/Button';
import IconButton from '@mui/material/IconButton';
import { Icon } from '../../src/app/icons/Icon';
import { addMonths, dayName, monthName, monthOf } from './months';
import { addDays } from '../../src/engine/formats/dates';
import type { TimesheetState } from './timesheetState';
import type { ChangeTimesheet } from './useTimesheetState';
import * as styles from './timesheet.module.css';

interface PeriodNavigationProps {
  state: TimesheetState;
  change: ChangeTimesheet;
  today: string;
}

/** The month or day of the calendar, with buttons for the previous and the next one and for today. */
export function PeriodNavigation({ state: { month, day }, change, today }: PeriodNavigationProps) {
  const unit = day ? 'day' : 'month';
  const step = (count: number) =>
    change((stateBefore) =>
      stateBefore.day
        ? withDay(stateBefore, addDays(stateBefore.day, count))
        : { ...stateBefore, month: addMonths(stateBefore.month, count) },
    );
  return (
    <div className={styles.timesheetSteps}>
      <h2 aria-live="polite">{day ? dayName(day) : monthName(month, true)}</h2>
      <IconButton aria-label={`Previous ${unit}`} title={`Previous ${unit}`} onClick={() => step(-1)}>
        <Icon name="chevron-left" />
      </IconButton>
      <IconButton aria-label={`Next ${unit}`} title={`Next ${unit}`} onClick={() => step(1)}>
        <Icon name="chevron-right" />
      </IconButton>
      <Button
        variant="outlined"
        onClick={() =>
          change((stateBefore) =>
            stateBefore.day ? withDay(stateBefore, today) : { ...stateBefore, month: monthOf(today) },
          )
        }
      >
        Today
      </Button>
    </div>
  );
}

const withDay = (state: TimesheetState, day: string): TimesheetState => ({ ...state, day, month: monthOf(day) });
