import Button from '@mui/material/Button';
import Menu from '@mui/material/Menu';
import MenuItem from '@mui/material/MenuItem';
import { useState } from 'react';
import { Icon } from '../../src/app/icons/Icon';
import * as styles from '../../src/app/list/menus.module.css';
import { firstDayOfWeek } from '../../src/engine/formats/personal';

/** The views of the calendar: FullCalendar's names, and our labels. */
export const calendarViews = [
  { name: 'dayGridMonth', label: 'Month', step: 'month' },
  { name: 'dayGridWeek', label: 'Week', step: 'week' },
  { name: 'dayGridDay', label: 'Day', step: 'day' },
  { name: 'listWeek', label: 'List week', step: 'week' },
] as const;

export type CalendarView = (typeof calendarViews)[number];

/** The first and the last day (`YYYY-MM-DD`) of the six weeks that a calendar month shows. */
export function monthSpan(day: string): { firstDay: string; lastDay: string } {
  const [year, month] = day.split('-').map(Number) as [number, number];
  const first = new Date(Date.UTC(year, month - 1, 1));
  const daysBefore = (first.getUTCDay() - firstDayOfWeek() + 7) % 7;
  const dayAt = (offset: number) => new Date(first.getTime() + offset * 86_400_000).toISOString().slice(0, 10);
  return { firstDay: dayAt(-daysBefore), lastDay: dayAt(41 - daysBefore) };
}

/** A menu to choose the calendar's view. */
export function ViewMenu({ view, onView }: { view: CalendarView; onView: (view: CalendarView) => void }) {
  const [anchor, setAnchor] = useState<HTMLElement | null>(null);
  return (
    <>
      <Button
        size="small"
        variant="text"
        endIcon={<Icon name="chevron-down" />}
        aria-haspopup="menu"
        aria-expanded={anchor !== null}
        onClick={(event) => setAnchor(event.currentTarget)}
      >
        {view.label}
      </Button>
      <Menu open={anchor !== null} anchorEl={anchor} onClose={() => setAnchor(null)} className={styles.below}>
        {calendarViews.map((calendarView) => (
          <MenuItem
            key={calendarView.name}
            role="menuitemradio"
            aria-checked={calendarView === view}
            selected={calendarView === view}
            onClick={() => {
              setAnchor(null);
              onView(calendarView);
            }}
          >
            {calendarView.label}
          </MenuItem>
        ))}
      </Menu>
    </>
  );
}
