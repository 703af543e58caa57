import Box from '@mui/material/Box';
import FullCalendar, {
  type EventApi,
  type EventDisplayInfo,
  type EventDropInfo,
  type EventResizeDoneInfo,
} from '@fullcalendar/react';
import timeGrid from '@fullcalendar/react/timegrid';
import { useEffect, useEffectEvent, useMemo, useRef } from 'react';
import type { Definition, ResourceRecord } from '../../src/engine/definitions/definition';
import { dayOf, interaction, lastDayOf, sharedOptions, theme, timeOf } from './calendar';
import type { TimeLog, TimesheetMonth } from './timesheetApi';
import { dayName } from './months';
import { useLogForms } from './useLogForms';
import * as styles from './calendar.module.css';
import { requireValue } from '../../src/engine/values/lookups';
import { parseHours, describeMinutes } from '../../src/engine/field-types/duration';
import { OverlapMark } from './OverlapMark';
import { useQueryClient } from '@tanstack/react-query';
import { useDataProvider } from 'react-admin';
import { reportError } from '../../src/app/data/ErrorToasts';
import { refreshAfterSaving } from '../../src/app/data/refreshAfterSaving';
import { useSavedToast } from '../../src/app/form/useSavedToast';
import { withFieldErrors } from '../../src/app/session/apiError';

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

interface LogCardProps {
  definition: Definition;
  log: TimeLog;
  /** Its time as the calendar formats it, also while it is dragged. */
  time: string;
  /** Whether to show whose log it is. */
  showsPerson: boolean;
}

/** A log in the grid of a day. */
function LogCard({ definition, log, time, showsPerson }: LogCardProps) {
  return (
    <div className={styles.timesheetCard} title={log.warning ?? undefined}>
      <b>{log.task?.name}</b>
      {log.warning && <OverlapMark definition={definition} />}
      {showsPerson && <span>{log.user?.name}</span>}
      <span className="num">
        {time}{' '}
        <Box component="i" sx={{ color: 'var(--t3)', fontStyle: 'normal' }}>
          {describeMinutes(parseHours(log.total_duration))}
        </Box>
      </span>
      {log.comments && <small>{log.comments}</small>}
    </div>
  );
}

/**
 * Saves a log after it was dragged or resized, and offers to take that back, unless somebody changed the log since. If the
 * server refuses, moves it back and shows the reason.
 */
export function useMoveLog(definition: Definition): (moved: EventDropInfo | EventResizeDoneInfo) => Promise<void> {
  const dataProvider = useDataProvider();
  const queryClient = useQueryClient();
  const notifySaved = useSavedToast(definition, 'edit');
  const store = async (id: string, data: object) => {
    const answer = await dataProvider.update(definition.name, { id, data, previousData: { id } });
    return answer.data as ResourceRecord;
  };
  const refresh = () => refreshAfterSaving(queryClient, definition.name);
  const restoreTimes = async (id: string, times: Times, updated_at: unknown) => {
    try {
      notifySaved(await store(id, { ...times, updated_at }));
    } catch (error) {
      reportError(withFieldErrors(error as Error));
    }
    await refresh();
  };
  return async ({ event, oldEvent, revert }) => {
    const { id } = event;
    try {
      const storedLog = await store(id, timesOf(event));
      const timesBefore = timesOf(oldEvent);
      notifySaved(storedLog, () => void restoreTimes(id, timesBefore, storedLog.updated_at));
      await refresh();
    } catch (error) {
      revert();
      reportError(withFieldErrors(error as Error));
    }
  };
}

type Times = ReturnType<typeof timesOf>;

function timesOf({ start, end }: EventDropInfo['event']) {
  const startTime = requireValue(start, 'the start of an entry');
  return { date: dayOf(startTime), start: timeOf(startTime), end: timeOf(requireValue(end, 'the end of an entry')) };
}
