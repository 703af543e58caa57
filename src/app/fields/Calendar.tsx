import Button from '@mui/material/Button';
import IconButton from '@mui/material/IconButton';
import { AdapterDayjs } from '@mui/x-date-pickers/AdapterDayjs';
import { DateCalendar } from '@mui/x-date-pickers/DateCalendar';
import { LocalizationProvider } from '@mui/x-date-pickers/LocalizationProvider';
import type { PickersCalendarHeaderProps } from '@mui/x-date-pickers/PickersCalendarHeader';
import dayjs, { type Dayjs } from 'dayjs';
import { formatDate, isDate } from '../../engine/formats/dates';
import { localeOfCalendars } from './calendarLocale';
import { Icon } from '../icons/Icon';
import { localToday } from '../data/localTime';
import type { InputProps } from './fieldType';
import * as styles from './fields.module.css';

interface CalendarProps {
  value: unknown;
  notBefore?: InputProps['notBefore'];
  onPick: (date: string) => void;
}

const dateFormat = 'YYYY-MM-DD';
const parseDay = (value: unknown) => (typeof value === 'string' && isDate(value) ? dayjs(value) : null);

/** A month to pick a day from. Days before the start are disabled, days from start to end are tinted. */
export function Calendar({ value, notBefore, onPick }: CalendarProps) {
  const chosenDay = parseDay(value);
  const start = parseDay(notBefore?.value);
  const today = localToday();
  const isBetween = (day: Dayjs) =>
    start !== null && chosenDay !== null && !day.isBefore(start) && day.isBefore(chosenDay);
  return (
    <LocalizationProvider dateAdapter={AdapterDayjs} adapterLocale={localeOfCalendars()}>
      <DateCalendar
        value={chosenDay}
        minDate={start ?? undefined}
        referenceDate={chosenDay ?? start ?? dayjs(today)}
        onChange={(day: Dayjs | null, selection) => {
          if (day && selection === 'finish') onPick(day.format(dateFormat));
        }}
        views={['day']}
        autoFocus
        fixedWeekNumber={6}
        showDaysOutsideCurrentMonth
        dayOfWeekFormatter={(day) => day.format('dd')}
        slots={{ calendarHeader: MonthBar }}
        slotProps={{ day: ({ day }) => ({ className: isBetween(day as Dayjs) ? styles.calendarBetween : '' }) }}
      />
      <div className={styles.calendarFoot}>
        <span>{start && notBefore && `After ${formatDate(start.format(dateFormat))}, the ${notBefore.label}`}</span>
        <Button
          variant="text"
          color="info"
          size="small"
          disabled={start !== null && dayjs(today).isBefore(start)}
          onClick={() => onPick(today)}
        >
          Today
        </Button>
      </div>
    </LocalizationProvider>
  );
}

function MonthBar({ currentMonth, onMonthChange }: PickersCalendarHeaderProps) {
  const month = currentMonth as Dayjs;
  return (
    <div className={styles.calendarBar}>
      <b aria-live="polite">{month.format('MMMM YYYY')}</b>
      <IconButton size="small" aria-label="Previous month" onClick={() => onMonthChange(month.subtract(1, 'month'))}>
        <Icon name="chevron-left" />
      </IconButton>
      <IconButton size="small" aria-label="Next month" onClick={() => onMonthChange(month.add(1, 'month'))}>
        <Icon name="chevron-right" />
      </IconButton>
    </div>
  );
}
