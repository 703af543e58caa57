import FullCalendar, { type DayHeaderInfo, type EventDisplayInfo } from '@fullcalendar/react';
import dayGridPlugin from '@fullcalendar/react/daygrid';
import { useMemo, useRef } from 'react';
import type { Definition } from '../../../engine/definitions/definition';
import { addDays } from '../../../engine/formats/dates';
import { firstDayOfWeek, personalLocale } from '../../../engine/formats/personal';
import { Icon } from '../../icons/Icon';
import { DayBar } from './DayBar';
import { daysFrom, isWeekend, nextBar, placeBars, type Direction } from './layout';
import type { Grip } from './spans';
import { useBarMoves, type DraggedBar, type OutsideDays } from './useBarMoves';
import type { Bar } from './useBars';
import type { SpanStep } from './useSpanMoves';
import { dayAndMonth, spanWords, weekday } from './words';

import '@fullcalendar/react/skeleton.css';
import * as styles from './days.module.css';

interface CalendarGridProps {
  definition: Definition;
  /** The field that says whose a record is. */
  person?: string;
  bars: readonly Bar[];
  /** The first day, with which a week begins, and the number of days. */
  first: string;
  count: number;
  /** `YYYY-MM`; the days of other months are dimmed. Undefined: none are. */
  month?: string;
  today: string;
  /** The lanes of a week that are shown. */
  lanes: number;
  move: (bar: Bar, grip: Grip, step: SpanStep) => void;
  outside: OutsideDays;
  /** A bar that comes from outside. */
  placed?: DraggedBar;
}

const plugins = [dayGridPlugin];
const hint =
  'Arrow keys lead to other records. With Alt they move the record by a day or a week, with Shift its end. Delete takes its dates away, Enter opens it, T shows today.';

/** Weeks with a bar for each record, in lanes, as FullCalendar lays them out. Bars are moved as in the timeline. */
export default function CalendarGrid(props: CalendarGridProps) {
  const { definition, person, bars, first, count, month, today, lanes, move, outside, placed } = props;
  const frame = useRef<HTMLDivElement>(null);
  const weeks = daysFrom(first, count).filter((_, index) => index % 7 === 0);
  const nextOf = (id: Bar['id'], direction: Direction) =>
    nextBar(
      weeks.map((week) => placeBars(bars, week, 7).filter(({ lane }) => lane < lanes)),
      id,
      direction,
    );
  const { dragged: movedBar, handlers } = useBarMoves({ frame, bars, move, nextOf, outside });
  const draggedBar = movedBar ?? placed;
  const shownBars = draggedBar
    ? bars.map((bar) => (bar.id === draggedBar.id ? { ...bar, span: draggedBar.span } : bar))
    : bars;
  const barsById = new Map(shownBars.map((bar) => [String(bar.id), bar]));
  const spansText = JSON.stringify(
    shownBars.map(({ id, span, isDone }) => [id, span.from, addDays(span.to, 1), Number(isDone)]),
  );
  const events = useMemo(
    () =>
      (JSON.parse(spansText) as [Bar['id'], string, string, number][]).map(([id, start, end, done]) => ({
        id: String(id),
        start,
        end,
        allDay: true,
        extendedProps: { done },
      })),
    [spansText],
  );
  const cellClass = (day: string) =>
    [
      styles.dayCell,
      day === today && styles.dayToday,
      month !== undefined && day.slice(0, 7) !== month && styles.dayOutside,
      isWeekend(day) && styles.dayWeekend,
      draggedBar && draggedBar.span.from <= day && day <= draggedBar.span.to && styles.isOver,
    ]
      .filter(Boolean)
      .join(' ');
  const dayNumber = (day: string) => (
    <time dateTime={day} className={day === today ? styles.dayToday : undefined}>
      {day.endsWith('-01') || day === first ? dayAndMonth(day) : Number(day.slice(8))}
    </time>
  );
  return (
    <div
      className={styles.dayCalendar}
      ref={frame}
      {...handlers}
      data-days=""
      data-dragging={draggedBar !== undefined || undefined}
      // Without bars there is nothing else in it to focus, and to scroll it by keys.
      {...(shownBars.length === 0 && { tabIndex: 0, role: 'group', 'aria-label': 'Weeks' })}
    >
      <p className="unseen">{hint}</p>
      <FullCalendar
        plugins={plugins}
        initialView="dayGrid"
        initialDate={first}
        visibleRange={{ start: first, end: addDays(first, count) }}
        now={today}
        timeZone="UTC"
        locale={personalLocale('en')}
        firstDay={firstDayOfWeek()}
        fixedWeekCount={false}
        height="auto"
        // The heights of weeks do not depend on the width of the window.
        aspectRatio={100}
        headerToolbar={false}
        borderless
        className={styles.dayRoot}
        viewClass={styles.dayGrid}
        tableBodyClass={styles.dayGrid}
        dayHeaderRowClass={styles.dayNames}
        dayHeaderDividerClass={styles.dayDivider}
        dayHeaderAlign="start"
        dayHeaderContent={({ date, inPopover }: DayHeaderInfo) =>
          inPopover ? (
            spanWords({ from: dayOf(date), to: dayOf(date) })
          ) : (
            // The days of a single week have their numbers in the header.
            <>
              <span>{weekday(dayOf(date))}</span>
              {count === 7 && <div className={styles.dayNumber}>{dayNumber(dayOf(date))}</div>}
            </>
          )
        }
        dayRowClass={styles.dayWeek}
        dayCellClass={({ date, inPopover }) => (inPopover ? styles.dayListBars : cellClass(dayOf(date)))}
        dayCellTopInnerClass={styles.dayNumber}
        dayCellTopContent={({ date }) => dayNumber(dayOf(date))}
        events={events}
        // Open work is seen first: done records fill the space that is left, and go behind "+n more".
        eventOrder="done,start,-duration"
        eventSlicing={false}
        eventDisplay="block"
        dayMaxEvents={lanes}
        eventContent={({ event, isStart, isEnd }: EventDisplayInfo) => {
          const bar = barsById.get(event.id);
          return (
            bar && <DayBar {...{ definition, person, bar, isStart, isEnd }} isDragged={draggedBar?.id === bar.id} />
          );
        }}
        moreLinkClass={styles.dayMore}
        moreLinkHint={(count: number) => `${count} more`}
        moreLinkContent={({ num }) => <span ref={(words) => nameMoreLink(words, num)}>+{num} more</span>}
        popoverClass={styles.dayList}
        closeHint="Close"
        popoverCloseClass={styles.dayListClose}
        popoverCloseContent={<Icon name="x" />}
      />
    </div>
  );
}

/** The day (`YYYY-MM-DD`) of a date of FullCalendar, which are in UTC here. */
const dayOf = (date: Date) => date.toISOString().slice(0, 10);

/** FullCalendar names its link by its words alone, which many days have: the day is added. */
function nameMoreLink(words: HTMLElement | null, count: number): void {
  const day = words?.closest<HTMLElement>('[data-date]')?.dataset.date;
  if (day) words?.closest('[role=button]')?.setAttribute('aria-label', `${count} more on ${dayAndMonth(day)}`);
}
