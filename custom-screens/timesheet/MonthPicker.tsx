import Box from '@mui/material/Box';
import OutlinedInput from '@mui/material/OutlinedInput';
import Popover from '@mui/material/Popover';
import { useId, useState } from 'react';
import { Icon } from '../../src/app/icons/Icon';
import { monthLabel } from './months';
import { lazyComponent, LoadingFallback } from '../../src/app/states/lazyComponent';
import * as styles from './timesheet.module.css';

const Months = lazyComponent(() => import('./Months').then((module) => ({ default: module.Months })));

interface MonthPickerProps {
  month: string;
  /** The last month that can be chosen. */
  last: string;
  onPick: (month: string) => void;
}

const words = 'Choose a month';

/** The current month, and a calendar to choose another. */
export function MonthPicker({ month, last, onPick }: MonthPickerProps) {
  const [anchor, setAnchor] = useState<HTMLElement | null>(null);
  const id = useId();
  return (
    <>
      <OutlinedInput
        readOnly
        className={styles.timesheetMonth}
        value={monthLabel(month)}
        placeholder={words}
        startAdornment={<Icon name="calendar" />}
        endAdornment={<Icon name="chevron-down" />}
        slotProps={{
          input: {
            role: 'combobox',
            'aria-label': words,
            'aria-haspopup': 'dialog',
            'aria-expanded': anchor !== null,
            'aria-controls': anchor ? id : undefined,
          },
        }}
        onClick={(event) => setAnchor(event.currentTarget)}
        onKeyDown={(event) => {
          if (event.key !== 'Enter' && event.key !== ' ' && event.key !== 'ArrowDown') return;
          event.preventDefault();
          setAnchor(event.currentTarget);
        }}
      />
      <Popover
        open={anchor !== null}
        anchorEl={anchor}
        onClose={() => setAnchor(null)}
        anchorOrigin={{ vertical: 'bottom', horizontal: 'left' }}
        slotProps={{ paper: { id, role: 'dialog', 'aria-label': words, className: styles.timesheetMonths } }}
      >
        <LoadingFallback fallback={<Box sx={{ height: 200 }} />}>
          <Months
            {...{ month, last }}
            onPick={(pickedMonth) => {
              setAnchor(null);
              onPick(pickedMonth);
            }}
          />
        </LoadingFallback>
      </Popover>
    </>
  );
}
