import FullCalendar, { type CalendarRef, type DatesSetInfo } from '@fullcalendar/react';
import dayGridPlugin from '@fullcalendar/react/daygrid';
import interactionPlugin from '@fullcalendar/react/interaction';
import listPlugin from '@fullcalendar/react/list';
import type { Ref } from 'react';
import { daysLater, formatDate } from '../../src/engine/formats/dates';
import type { DeadlineCount } from './figures';

import '@fullcalendar/react/skeleton.css';
import './calendar.css';

const plugins = [dayGridPlugin, listPlugin, interactionPlugin];

// The calendar itself would say "M" where there is little room. Its days are UTC's.
const weekdays = new Intl.DateTimeFormat('en', { weekday: 'short', timeZone: 'UTC' });

const shortTitle = { titleFormat: { day: 'numeric', month: 'short', year: 'numeric' } } as const;
const shortTitles = { dayGridWeek: shortTitle, dayGridDay: shortTitle, listWeek: shortTitle };

/** What the calendar shows by now: its days, and what they are called together. */
export interface Shown {
  readonly title: string;
  readonly from: string;
  readonly to: string;
}

interface DeadlineCalendarProps {
  ref: Ref<CalendarRef>;
  deadlines: readonly DeadlineCount[];
  today: string;
  onShown: (shown: Shown) => void;
  /** A day that was clicked, and whether it lies before today. */
  onDay: (day: string, isPastDate: boolean) => void;
}

/** A calendar with the number of deadlines on each day. Red: the day is past. */
export default function DeadlineCalendar({ ref, deadlines, today, onShown, onDay }: DeadlineCalendarProps) {
  const pick = (day: string) => onDay(day, day < today);
  return (
    <FullCalendar
      ref={ref}
      plugins={plugins}
      initialView="dayGridMonth"
      initialDate={today}
      now={today}
      firstDay={1}
      weekends
      height="100%"
      headerToolbar={false}
      borderless
      dayMaxEvents={3}
      eventInteractive
      headingLevel={3}
      noEventsText="No deadlines in this week"
      dayHeaderFormat={{ weekday: 'long' }}
      listDayFormat={{ weekday: 'long' }}
      listDayAltFormat={{ day: 'numeric', month: 'short' }}
      views={shortTitles}
      viewClass="cal"
      dayHeaderAlign="center"
      dayHeaderInnerClass="cal-head"
      dayHeaderContent={({ weekdayText, date, view }) =>
        view.type === 'dayGridDay' ? weekdayText : weekdays.format(date)
      }
      dayHeaderDividerClass="cal-row"
      dayRowClass="cal-row"
      dayCellClass={({ isOther }) => `cal-day${isOther ? ' cal-other' : ''}`}
      dayCellTopInnerClass={({ isToday }) => `cal-number${isToday ? ' cal-today' : ''}`}
      eventClass={({ event, view }) =>
        `cal-event${event.startStr < today ? ' cal-late' : ''}${view.type === 'listWeek' ? ' cal-line' : ''}`
      }
      listDayHeaderClass="cal-list-day"
      noEventsClass="cal-none"
      events={deadlines.map(({ date, count }) => ({ id: date, start: date, allDay: true, title: String(count) }))}
      eventContent={({ event, view }) => {
        const words = event.title === '1' ? ' open task' : ' open tasks';
        const isShort = view.type === 'dayGridMonth' || view.type === 'dayGridWeek';
        return (
          <span className="cal-count num">
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
      datesSet={({ view, startStr, endStr }: DatesSetInfo) =>
        onShown({ title: view.title, from: startStr.slice(0, 10), to: daysLater(endStr.slice(0, 10), -1) })
      }
    />
  );
}
