import type { CalendarRef } from '@fullcalendar/react';
import Box from '@mui/material/Box';
import Button from '@mui/material/Button';
import IconButton from '@mui/material/IconButton';
import { useId, useRef, useState } from 'react';
import { useFigures } from '../../src/app/charts/useFigures';
import { reportError } from '../../src/app/data/ErrorToasts';
import { personalFormatter } from '../../src/engine/formats/personal';
import { Icon } from '../../src/app/icons/Icon';
import { ViewMenu, calendarViews, monthSpan, type CalendarView } from './ViewMenu';
import { DeadlinesDialog } from './DeadlinesDialog';
import type { VisibleRange } from './DeadlineCalendar';
import type { DeadlineCount } from './figures';
import { useEndDates } from './useEndDates';
import { lazyComponent, LoadingFallback } from '../../src/app/states/lazyComponent';
import * as chartsStyles from '../../src/app/charts/charts.module.css';
import * as statesStyles from '../../src/app/states/states.module.css';
import * as deadlinesStyles from './deadlines.module.css';
import * as styles from './dashboard.module.css';

const DeadlineCalendar = lazyComponent(() => import('./DeadlineCalendar'));
const noCounts: readonly DeadlineCount[] = [];

/**
 * The end dates of open tasks: a calendar with a number on each day; a click shows the day's tasks. Dragging a number to
 * another day moves the end date of its task; if the day has several tasks, a dialog asks which.
 */
export function Deadlines({ today }: { today: string }) {
  const id = useId();
  const calendar = useRef<CalendarRef>(null);
  const { movable, tasksOf, move } = useEndDates();
  const [view, setView] = useState<CalendarView>(calendarViews[0]);
  const [visibleRange, setVisibleRange] = useState<VisibleRange>(() => ({
    title: monthName(today),
    ...monthSpan(today),
  }));
  const [openDialog, setOpenDialog] = useState<{ day: string; isPastDate: boolean; target?: string } | null>(null);
  const { data = noCounts } = useFigures<DeadlineCount[]>(
    `/dashboard/deadlines?from=${visibleRange.firstDay}&to=${visibleRange.lastDay}`,
    ['tasks'],
  );
  const api = () => calendar.current?.getApi();
  const changeView = (nextView: CalendarView) => {
    setView(nextView);
    api()?.changeView(nextView.name);
  };
  const drop = async (day: string, target: string, restorePosition: () => void) => {
    try {
      const tasks = await tasksOf(day);
      const [task] = movable(tasks);
      if (tasks.length === 1 && task) {
        const refusal = await move([task], day, target);
        if (refusal === undefined) return;
        throw new Error(refusal);
      }
      restorePosition();
      setOpenDialog({ day, isPastDate: false, target });
    } catch (error) {
      restorePosition();
      reportError(error as Error);
    }
  };
  return (
    <section className={`${styles.dashCard} ${styles.dashDeadlines}`} aria-labelledby={id}>
      <header>
        <h2 id={id}>Tasks: Upcoming Deadlines</h2>
      </header>
      <div className={styles.dashCalendarTools} role="group" aria-label="Calendar">
        <b aria-live="polite">{visibleRange.title}</b>
        <span className={chartsStyles.figureGrow} />
        <ViewMenu view={view} onView={changeView} />
        <IconButton size="small" aria-label={`Previous ${view.step}`} onClick={() => api()?.prev()}>
          <Icon name="chevron-left" />
        </IconButton>
        <Button size="small" variant="outlined" onClick={() => api()?.today()}>
          Today
        </Button>
        <IconButton size="small" aria-label={`Next ${view.step}`} onClick={() => api()?.next()}>
          <Icon name="chevron-right" />
        </IconButton>
      </div>
      <Box sx={{ position: 'relative', flex: 1, minHeight: 252, contain: 'size' }}>
        <LoadingFallback fallback={<CalendarSkeleton />}>
          <DeadlineCalendar
            ref={calendar}
            deadlines={data}
            today={today}
            // Without permission to change the end date of any task, nothing can be dragged.
            canMove={movable([{ id: 0 }]).length > 0}
            onRangeChange={setVisibleRange}
            onDayClick={(day, isPastDate) => setOpenDialog({ day, isPastDate })}
            onMove={(day, target, restorePosition) => void drop(day, target, restorePosition)}
          />
        </LoadingFallback>
      </Box>
      {openDialog && <DeadlinesDialog {...openDialog} onClose={() => setOpenDialog(null)} />}
    </section>
  );
}

/** Placeholder of a month while the calendar loads. */
function CalendarSkeleton() {
  return (
    <div className={deadlinesStyles.calWaiting} aria-hidden="true">
      {Array.from({ length: 42 }, (_, index) => (
        <span key={index}>
          <span className={statesStyles.skeleton} />
        </span>
      ))}
    </div>
  );
}

const monthAndYear = personalFormatter({ month: 'long', year: 'numeric', timeZone: 'UTC' }, 'en');

function monthName(day: string): string {
  return monthAndYear().format(Date.parse(`${day}T00:00:00Z`));
}
