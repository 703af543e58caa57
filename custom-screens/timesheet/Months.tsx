import IconButton from '@mui/material/IconButton';
import { AdapterDayjs } from '@mui/x-date-pickers/AdapterDayjs';
import { LocalizationProvider } from '@mui/x-date-pickers/LocalizationProvider';
import { MonthCalendar } from '@mui/x-date-pickers/MonthCalendar';
import dayjs, { type Dayjs } from 'dayjs';
import { useState } from 'react';
import { localeOfCalendars } from '../../src/app/fields/calendarLocale';
import { Icon } from '../../src/app/icons/Icon';
import * as styles from '../../src/app/fields/fields.module.css';

interface MonthsProps {
  /** The current month. */
  month: string;
  last: string;
  onPick: (month: string) => void;
}

const monthFormat = 'YYYY-MM';

/** The months of a year to choose from. */
export function Months({ month, last, onPick }: MonthsProps) {
  const [year, setYear] = useState(Number(month.slice(0, 4)));
  const firstMonth = dayjs(`${year}-01-01`);
  const chosenMonth = month.startsWith(`${year}-`) ? dayjs(`${month}-01`) : null;
  return (
    <LocalizationProvider dateAdapter={AdapterDayjs} adapterLocale={localeOfCalendars()}>
      <div className={styles.calendarBar}>
        <b aria-live="polite">{year}</b>
        <IconButton size="small" aria-label="Previous year" onClick={() => setYear(year - 1)}>
          <Icon name="chevron-left" />
        </IconButton>
        <IconButton
          size="small"
          aria-label="Next year"
          disabled={year >= Number(last.slice(0, 4))}
          onClick={() => setYear(year + 1)}
        >
          <Icon name="chevron-right" />
        </IconButton>
      </div>
      <MonthCalendar
        key={year}
        autoFocus
        value={chosenMonth}
        referenceDate={chosenMonth ?? firstMonth}
        maxDate={dayjs(`${last}-01`).endOf('month')}
        onChange={(pickedMonth: Dayjs) => onPick(pickedMonth.format(monthFormat))}
      />
    </LocalizationProvider>
  );
}
