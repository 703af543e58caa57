import Box from '@mui/material/Box';
import Button from '@mui/material/Button';
import type { Definition } from '../../src/engine/definitions/definition';
import { Icon } from '../../src/app/icons/Icon';
import { DayGrid } from './DayGrid';
import type { TimesheetMonth } from './timesheetApi';
import { formatDecimalHours } from './hours';
import { useLogForms } from './useLogForms';
import * as statesStyles from '../../src/app/states/states.module.css';
import * as styles from './calendar.module.css';

interface DaySheetProps {
  definition: Definition;
  sheet?: TimesheetMonth;
  day: string;
  today: string;
  isOwn: boolean;
  /** Whether the logs are of several people: each then shows its person. */
  includesEveryone: boolean;
}

/** A day: its total, the button to log time, and its logs by hour. */
export function DaySheet({ definition, sheet, day, today, isOwn, includesEveryone }: DaySheetProps) {
  const { add, mayAdd } = useLogForms(definition, today, isOwn);
  const total = sheet?.days.find(({ date }) => date === day)?.total ?? 0;
  return (
    <>
      <div className={styles.timesheetDaybar}>
        <span>
          Total Hours{' '}
          {sheet ? (
            <Box className="num" component="b" sx={{ color: 'var(--t1)', fontSize: 15 }}>
              {formatDecimalHours(total)}
            </Box>
          ) : (
            <Box className={statesStyles.skeleton} component="span" sx={{ display: 'inline-block', width: 56 }} />
          )}
        </span>
        {day > today ? (
          <small>Time cannot be logged in the future.</small>
        ) : (
          mayAdd && (
            <Button variant="contained" startIcon={<Icon name="plus" />} onClick={() => add({ date: day })}>
              {definition.titles.add}
            </Button>
          )
        )}
      </div>
      <DayGrid key={day} {...{ definition, sheet, day, today, isOwn, includesEveryone }} />
    </>
  );
}
