import Box from '@mui/material/Box';
import FullCalendar, { type EventApi, type EventDisplayInfo } from '@fullcalendar/react';
import timeGrid from '@fullcalendar/react/timegrid';
import { useEffect, useEffectEvent, useMemo, useRef } from 'react';
import type { Definition } from '../../src/engine/definitions/definition';
import { dayOf, interaction, lastDayOf, sharedOptions, theme, timeOf } from './calendar';
import type { TimeLog, TimesheetMonth } from './timesheetApi';
import { LogCard } from './LogCard';
import { dayName } from './months';
import { useLogForms } from './useLogForms';
import { useMoveLog } from './useMoveLog';
import * as styles from './calendar.module.css';
import { requireValue } from '../../src/engine/values/lookups';

interface DayGridProps {
  definition: Definition;
  sheet?: TimesheetMonth;
  day: string;
  today: string;
  isOwn: boolean;
  includesEveryone: boolean;
}

const plugins = [timeGrid, interaction, theme];
const logOf = ({ extendedProps }: EventApi) => extendedProps.log as TimeLog;
/** The hour that a day is scrolled to, unless its first log is earlier. */
const morning = 8;
const hour = 3_600_000;

/** The logs of a day by hour: owners can drag and resize them, and draw new ones. */
export function DayGrid({ definition, sheet, day, today, isOwn, includesEveryone }: DayGridProps) {
  const scroller = useRef<HTMLDivElement>(null);
  const { add, show, mayAdd, mayChange } = useLogForms(definition, today, isOwn);
  const move = useMoveLog(definition);
  const logs = useMemo(() => sheet?.logs.filter(({ date }) => date === day) ?? [], [day, sheet]);
  const events = useMemo(
    () =>
      logs.map((log) => ({
        id: String(log.id),
        title: log.task?.name ?? '',
        start: log.start.replace(' ', 'T'),
        end: log.end.replace(' ', 'T'),
        editable: mayChange(log),
        extendedProps: { log },
      })),
    // oxlint-disable-next-line react/exhaustive-deps -- whose log it is stays the same while it is shown
    [logs],
  );
  const first = Math.min(morning, ...logs.map(({ start }) => Number(start.slice(11, 13))));
  const hasSheet = sheet !== undefined;
  const scrollToFirst = useEffectEvent((box: HTMLElement) => {
    box.scrollTop = (box.scrollHeight / 24) * first;
  });
  useEffect(() => {
    const box = scroller.current;
    if (!hasSheet || !box) return;
    // Once, as soon as the hours are laid out: later the user decides where to scroll.
    const observer = new ResizeObserver(() => {
      if (box.scrollHeight <= box.clientHeight) return;
      scrollToFirst(box);
      observer.disconnect();
    });
    // Either may get its height last: the hours, or the box with its style sheet.
    observer.observe(box);
    observer.observe(requireValue(box.firstElementChild, 'the hours of the calendar'));
    return () => observer.disconnect();
  }, [hasSheet]);
  return (
    <Box
      ref={scroller}
      sx={{ flex: 1, minHeight: 0, overflow: 'auto', '&:focus-visible': { outlineOffset: '-2px' } }}
      role="region"
      aria-label={`Hours of ${dayName(day)}`}
      tabIndex={0}
    >
      <FullCalendar
        {...sharedOptions}
        plugins={plugins}
        initialView="timeGridDay"
        initialDate={day}
        height="auto"
        allDaySlot={false}
        dayHeaders={false}
        slotDuration="00:30"
        snapDuration="00:15"
        slotMinHeight={28}
        slotHeaderInterval="01:00"
        slotHeaderFormat={{ hour: '2-digit', minute: '2-digit', hour12: false }}
        slotHeaderInnerClass={styles.timesheetHour}
        nowIndicator={day === today}
        slotEventOverlap={false}
        eventMinHeight={26}
        eventResizableFromStart
        events={events}
        eventAllow={({ start, end }) => dayOf(start) === lastDayOf(end) && dayOf(start) <= today}
        eventClass={styles.timesheetLog}
        eventContent={({ event, timeText }: EventDisplayInfo) => (
          <LogCard definition={definition} log={logOf(event)} time={timeText} showsPerson={includesEveryone} />
        )}
        eventClick={({ event }) => show(logOf(event))}
        eventDrop={(change) => void move(change)}
        eventResize={(change) => void move(change)}
        selectable={mayAdd && day <= today}
        selectMinDistance={5}
        select={({ start, end, view }) => {
          view.calendar.unselect();
          add({ date: dayOf(start), start: timeOf(start), end: lastDayOf(end) === day ? timeOf(end) : '00:00' });
        }}
        dateClick={({ date }) => {
          const end = new Date(date.getTime() + hour);
          add({ date: day, start: timeOf(date), end: lastDayOf(end) === day ? timeOf(end) : '00:00' });
        }}
      />
    </Box>
  );
}
