import Box from '@mui/material/Box';
import FullCalendar, { type CalendarRef, type DayCellInfo } from '@fullcalendar/react';
import dayGrid from '@fullcalendar/react/daygrid';
import { useEffect, useRef, type KeyboardEvent } from 'react';
import type { Definition } from '../../src/engine/definitions/definition';
import { dayOf, interaction, sharedOptions, theme } from './calendar';
import type { TimesheetMonth } from './timesheetApi';
import { formatDecimalHours, dayShares } from './hours';
import { monthOf } from './months';
import { OverlapMark } from './OverlapMark';
import { addDays } from '../../src/engine/formats/dates';
import { useLogForms } from './useLogForms';
import * as styles from './calendar.module.css';
import * as statesStyles from '../../src/app/states/states.module.css';

interface MonthGridProps {
  definition: Definition;
  sheet?: TimesheetMonth;
  month: string;
  today: string;
  /** Whether it is the actor's own timesheet: only then can time be logged on it. */
  isOwn: boolean;
  openDay: (day: string) => void;
  /** Moves by so many months. */
  step: (count: number) => void;
}

const plugins = [dayGrid, interaction, theme];
const dayOffsets: Readonly<Record<string, number>> = { ArrowLeft: -1, ArrowRight: 1, ArrowUp: -7, ArrowDown: 7 };

/**
 * A month with the total of each day, and a mark on days whose time logs overlap. A day's number and total open the day;
 * a click beside them logs time on it. Arrow keys move from day to day.
 */
export function MonthGrid({ definition, sheet, month, today, isOwn, openDay, step }: MonthGridProps) {
  const calendar = useRef<CalendarRef>(null);
  const { add } = useLogForms(definition, today, isOwn);
  useEffect(() => calendar.current?.getApi().gotoDate(`${month}-01`), [month]);
  const totals = new Map(sheet?.days.map(({ date, total }) => [date, total]));
  const overlapping = new Set(sheet?.logs.filter(({ warning }) => warning !== null).map(({ date }) => date));
  const mark = definition.list.highlight[0]?.label;
  const dayLabel = (text: string, day: string) => {
    const total = totals.get(day);
    const hours = total === undefined ? undefined : `Total Hours ${formatDecimalHours(total)}`;
    return [text, hours, overlapping.has(day) ? mark : undefined].filter(Boolean).join(', ');
  };
  const shares = dayShares(sheet?.days ?? []);

  const onKeyDown = (event: KeyboardEvent<HTMLElement>) => {
    if (event.key === 'PageUp' || event.key === 'PageDown') return step(event.key === 'PageUp' ? -1 : 1);
    const days = dayOffsets[event.key];
    const focusedDate = (event.target as HTMLElement).closest<HTMLElement>('[data-date]')?.dataset.date;
    if (days === undefined || focusedDate === undefined) return;
    event.preventDefault();
    const cell = event.currentTarget.querySelector(`[data-date="${addDays(focusedDate, days)}"]`);
    cell?.querySelector<HTMLElement>('[role=link]')?.focus();
  };
  const isOutside = (date: Date) => monthOf(dayOf(date)) !== month;
  return (
    <Box sx={{ flex: 1, minHeight: 0 }} onKeyDown={onKeyDown}>
      <FullCalendar
        {...sharedOptions}
        ref={calendar}
        plugins={plugins}
        initialView="dayGridMonth"
        initialDate={`${month}-01`}
        height="100%"
        navLinks
        navLinkDayClick={(date) => openDay(dayOf(date))}
        navLinkHint={(text, date) => dayLabel(text, dayOf(date))}
        dateClick={({ dateStr }) => add({ date: dateStr })}
        dayHeaderAlign="start"
        dayHeaderClass={styles.timesheetWeekday}
        dayHeaderInnerClass={styles.timesheetWeekdayName}
        dayCellClass={({ date, dow, isToday }: DayCellInfo) =>
          `${styles.timesheetDay}${dow === 0 || dow === 6 ? ` ${styles.isWeekend}` : ''}${isOutside(date) ? ` ${styles.isOutside}` : ''}${isToday ? ` ${styles.isToday}` : ''}`
        }
        dayCellTopClass={styles.timesheetDayTop}
        dayCellTopInnerClass={styles.timesheetDayLink}
        dayCellTopContent={({ date, dayNumberText }: DayCellInfo) => (
          <>
            <span className={styles.timesheetDayHead}>
              <em>{dayNumberText}</em>
              {overlapping.has(dayOf(date)) && <OverlapMark definition={definition} />}
            </span>
            {!isOutside(date) && dayOf(date) <= today && (
              <DayTotal total={totals.get(dayOf(date))} share={shares.get(dayOf(date))} isLoading={!sheet} />
            )}
          </>
        )}
      />
    </Box>
  );
}

interface DayTotalProps {
  /** Decimal hours; undefined if nothing was logged. */
  total?: number;
  /** The length of its line, in percent. */
  share?: number;
  isLoading: boolean;
}

/** The total hours of a day, and a line of proportional length. */
function DayTotal({ total, share = 0, isLoading }: DayTotalProps) {
  if (isLoading)
    return <span className={`${statesStyles.skeleton} ${styles.timesheetTotalWaiting}`} aria-hidden="true" />;
  if (total === undefined) return null;
  return (
    <span className={styles.timesheetTotal}>
      <span>
        <i>Total Hours</i>
        <b className="num">{formatDecimalHours(total)}</b>
      </span>
      <span className={styles.timesheetMeter}>
        <s style={{ width: `${share}%` }} />
      </span>
    </span>
  );
}
