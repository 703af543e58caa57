import Box from '@mui/material/Box';
import FullCalendar, { type CalendarRef, type DatesSetInfo } from '@fullcalendar/react';
import dayGridPlugin from '@fullcalendar/react/daygrid';
import interactionPlugin from '@fullcalendar/react/interaction';
import listPlugin from '@fullcalendar/react/list';
import { useEffect, useMemo, useRef, useState, type FocusEvent, type KeyboardEvent, type Ref } from 'react';
import { addDays, formatDate } from '../../src/engine/formats/dates';
import { firstDayOfWeek, personalFormatter, personalLocale } from '../../src/engine/formats/personal';
import type { DeadlineCount, DueTask } from './figures';
import '@fullcalendar/react/skeleton.css';
import * as styles from './calendar.module.css';
import Tooltip from '@mui/material/Tooltip';
import { useFigures } from '../../src/app/charts/useFigures';

/** The most names that a tooltip shows. */
const maxNames = 8;

/** A tooltip with the names of a day's tasks. */
function DeadlineTooltip({ day, anchor }: { day: string; anchor: HTMLElement }) {
  const { data, isPlaceholderData } = useFigures<DueTask[]>(`/dashboard/deadlines?date=${day}`, ['tasks']);
  if (!data || isPlaceholderData || data.length === 0) return null;
  return (
    <Tooltip
      open
      title={
        <Box component="ul" sx={{ m: 0, p: 0, listStyle: 'none' }}>
          {data.slice(0, maxNames).map(({ id, name }) => (
            <li key={id}>{name}</li>
          ))}
          {data.length > maxNames && <li>and {data.length - maxNames} more</li>}
        </Box>
      }
      disableInteractive
      slotProps={{ popper: { anchorEl: anchor, sx: { pointerEvents: 'none' } } }}
    >
      <span hidden />
    </Tooltip>
  );
}

const plugins = [dayGridPlugin, listPlugin, interactionPlugin];

// FullCalendar would shorten a weekday to "M" in a narrow column. Its dates are in UTC.
const weekdays = personalFormatter({ weekday: 'short', timeZone: 'UTC' }, 'en');

const shortTitle = { titleFormat: { day: 'numeric', month: 'short', year: 'numeric' } } as const;
const shortTitles = { dayGridWeek: shortTitle, dayGridDay: shortTitle, listWeek: shortTitle };

/** The range of days that the calendar shows, and its title. */
export interface VisibleRange {
  readonly title: string;
  readonly firstDay: string;
  readonly lastDay: string;
}

interface DeadlineCalendarProps {
  ref: Ref<CalendarRef>;
  deadlines: readonly DeadlineCount[];
  today: string;
  onRangeChange: (shown: VisibleRange) => void;
  /** Called with the clicked day and whether it is before today. */
  onDayClick: (day: string, isPastDate: boolean) => void;
  /** Whether numbers can be dragged to another day. */
  canMove: boolean;
  /** Called when a day's number was dragged to another day; `putBack` moves it back. */
  onMove: (day: string, target: string, restorePosition: () => void) => void;
}

const dayOffsets: Readonly<Record<string, number>> = { ArrowLeft: -1, ArrowRight: 1, ArrowUp: -7, ArrowDown: 7 };

/**
 * A calendar with the number of deadlines on each day. A click on a day, or Enter on its number, opens it; arrow keys
 * move between days. The number shows the names of the tasks as a tooltip, and can be dragged to a day that is not past.
 */
export default function DeadlineCalendar(props: DeadlineCalendarProps) {
  const { ref, deadlines, today, onRangeChange, onDayClick, canMove, onMove } = props;
  const frame = useRef<HTMLDivElement>(null);
  const [tip, setTip] = useState<{ day: string; anchor: HTMLElement } | null>(null);
  const [title, setTitle] = useState('');
  const pick = (day: string) => onDayClick(day, day < today);
  const events = useMemo(
    () => deadlines.map(({ date, count }) => ({ id: date, start: date, allDay: true, title: String(count) })),
    [deadlines],
  );
  // Tab stops at one day only: today or, if it is not shown, the first. Arrow keys move from there.
  useEffect(() => {
    const days = [...(frame.current?.querySelectorAll<HTMLElement>(`.${styles.calNumber}[role=link]`) ?? [])];
    const stop = days.find((day) => day.closest(`[data-date="${today}"]`)) ?? days[0];
    for (const day of days) day.tabIndex = day === stop ? 0 : -1;
  }, [title, today, deadlines]);
  const onKeyDown = (event: KeyboardEvent<HTMLElement>) => {
    const days = dayOffsets[event.key];
    const focusedDate = (event.target as HTMLElement).closest<HTMLElement>('[data-date]')?.dataset.date;
    if (days === undefined || focusedDate === undefined) return;
    event.preventDefault();
    const cell = event.currentTarget.querySelector(`[data-date="${addDays(focusedDate, days)}"]`);
    cell?.querySelector<HTMLElement>('[role=link]')?.focus();
  };
  const onFocus = ({ target }: FocusEvent<HTMLElement>) => {
    const day = target.querySelector<HTMLElement>(`.${styles.calCount}`)?.dataset.day;
    if (target.matches(`.${styles.calEvent}`) && day !== undefined) setTip({ day, anchor: target });
  };
  return (
    <Box sx={{ height: '100%' }} ref={frame} onKeyDown={onKeyDown} onFocus={onFocus} onBlur={() => setTip(null)}>
      <FullCalendar
        ref={ref}
        plugins={plugins}
        initialView="dayGridMonth"
        initialDate={today}
        now={today}
        locale={personalLocale('en')}
        firstDay={firstDayOfWeek()}
        weekends
        height="100%"
        headerToolbar={false}
        borderless
        dayMaxEvents={3}
        eventInteractive
        eventStartEditable={canMove}
        eventDurationEditable={false}
        eventAllow={({ startStr }) => startStr.slice(0, 10) >= today}
        eventDragStart={() => setTip(null)}
        eventDrop={({ event, oldEvent, revert }) => onMove(oldEvent.startStr, event.startStr, revert)}
        eventMouseEnter={({ event, el }) => setTip({ day: event.startStr, anchor: el })}
        eventMouseLeave={() => setTip(null)}
        navLinks
        navLinkDayClick={(date) => pick(date.toISOString().slice(0, 10))}
        navLinkHint={(text) => `Deadlines of ${text}`}
        timeZone="UTC"
        headingLevel={3}
        noEventsText="No deadlines in this week"
        dayHeaderFormat={{ weekday: 'long' }}
        listDayFormat={{ weekday: 'long' }}
        listDayAltFormat={{ day: 'numeric', month: 'short' }}
        views={shortTitles}
        viewClass={styles.cal}
        dayHeaderAlign="center"
        dayHeaderInnerClass={styles.calHead}
        dayHeaderContent={({ weekdayText, date, view }) =>
          view.type === 'dayGridDay' ? weekdayText : weekdays().format(date)
        }
        dayHeaderDividerClass={styles.calRow}
        dayRowClass={styles.calRow}
        dayCellClass={({ isOther, isPast }) =>
          `${styles.calDay}${isOther ? ` ${styles.calOther}` : ''}${isPast ? ` ${styles.calPast}` : ''}`
        }
        dayCellTopInnerClass={({ isToday }) => `${styles.calNumber}${isToday ? ` ${styles.calToday}` : ''}`}
        eventClass={({ view }) => `${styles.calEvent}${view.type === 'listWeek' ? ` ${styles.calLine}` : ''}`}
        listDayHeaderClass={styles.calListDay}
        noEventsClass={styles.calNone}
        events={events}
        eventContent={({ event, view }) => {
          const words = event.title === '1' ? ' open task' : ' open tasks';
          const isShort = view.type === 'dayGridMonth' || view.type === 'dayGridWeek';
          return (
            <span className={`${styles.calCount} num`} data-day={event.startStr}>
              {event.title}
              {isShort ? <span className="unseen">{`${words} due on ${formatDate(event.startStr)}`}</span> : words}
            </span>
          );
        }}
        eventClick={({ event, jsEvent }) => {
          jsEvent.preventDefault();
          pick(event.startStr);
        }}
        dateClick={({ dateStr }) => pick(dateStr)}
        datesSet={({ view, startStr, endStr }: DatesSetInfo) => {
          setTitle(view.title);
          onRangeChange({
            title: view.title,
            firstDay: startStr.slice(0, 10),
            lastDay: addDays(endStr.slice(0, 10), -1),
          });
        }}
      />
      {tip && <DeadlineTooltip {...tip} />}
    </Box>
  );
}
