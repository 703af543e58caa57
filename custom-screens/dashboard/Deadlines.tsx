import type { CalendarRef } from '@fullcalendar/react';
import Button from '@mui/material/Button';
import IconButton from '@mui/material/IconButton';
import { lazy, Suspense, useId, useRef, useState } from 'react';
import { useFigures } from '../../src/app/charts/useFigures';
import { Icon } from '../../src/app/icons/Icon';
import { calendarViews, monthSpan, type CalendarView } from './calendarViews';
import { DeadlinesDialog } from './DeadlinesDialog';
import type { Shown } from './DeadlineCalendar';
import type { DeadlineCount } from './figures';
import { ViewMenu } from './ViewMenu';

const DeadlineCalendar = lazy(() => import('./DeadlineCalendar'));
const none: readonly DeadlineCount[] = [];

/** When open tasks end: a calendar with a number on each day, and the tasks of a day on a click. */
export function Deadlines({ today }: { today: string }) {
  const id = useId();
  const calendar = useRef<CalendarRef>(null);
  const [view, setView] = useState<CalendarView>(calendarViews[0]);
  const [shown, setShown] = useState<Shown>(() => ({ title: monthName(today), ...monthSpan(today) }));
  const [day, setDay] = useState<string | null>(null);
  const { data = none } = useFigures<DeadlineCount[]>(`/dashboard/deadlines?from=${shown.from}&to=${shown.to}`, ['tasks']); // prettier-ignore
  const api = () => calendar.current?.getApi();
  const look = (chosen: CalendarView) => {
    setView(chosen);
    api()?.changeView(chosen.name);
  };
  return (
    <section className="dash-card dash-deadlines" aria-labelledby={id}>
      <header>
        <h2 id={id}>Tasks: Upcoming Deadlines</h2>
      </header>
      <div className="dash-calendar-tools" role="group" aria-label="Calendar">
        <b aria-live="polite">{shown.title}</b>
        <span className="figure-grow" />
        <ViewMenu view={view} onView={look} />
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
      <div className="dash-calendar">
        <Suspense fallback={<span className="skeleton figure-skeleton" aria-hidden="true" />}>
          <DeadlineCalendar
            ref={calendar}
            deadlines={data}
            today={today}
            onShown={setShown}
            onDay={(chosen) => data.some(({ date }) => date === chosen) && setDay(chosen)}
          />
        </Suspense>
      </div>
      {day !== null && <DeadlinesDialog day={day} onClose={() => setDay(null)} />}
    </section>
  );
}

function monthName(day: string): string {
  return new Date(`${day}T00:00:00Z`).toLocaleDateString('en', { month: 'long', year: 'numeric', timeZone: 'UTC' });
}
