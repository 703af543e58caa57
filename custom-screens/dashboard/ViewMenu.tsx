import Button from '@mui/material/Button';
import Menu from '@mui/material/Menu';
import MenuItem from '@mui/material/MenuItem';
import { useState } from 'react';
import { Icon } from '../../src/app/icons/Icon';
import { calendarViews, type CalendarView } from './calendarViews';
import * as styles from '../../src/app/list/menus.module.css';

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
