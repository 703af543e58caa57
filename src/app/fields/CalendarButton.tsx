import IconButton from '@mui/material/IconButton';
import Popover from '@mui/material/Popover';
import { useState } from 'react';
import { Icon } from '../icons/Icon';
import type { InputProps } from './fieldType';
import { lazyComponent, LoadingFallback } from '../states/lazyComponent';
import * as styles from './fields.module.css';

const Calendar = lazyComponent(() => import('./Calendar').then((module) => ({ default: module.Calendar })));

interface CalendarButtonProps {
  /** The field's label. */
  label: string;
  /** The action of the button in words; left out: that it opens the calendar. */
  tooltip?: string;
  /** `YYYY-MM-DD`, or anything else for none. */
  value: unknown;
  notBefore?: InputProps['notBefore'];
  onPick: (date: string) => void;
}

/** Opens a calendar beside its text box. */
export function CalendarButton({ label, tooltip, value, notBefore, onPick }: CalendarButtonProps) {
  const [anchor, setAnchor] = useState<HTMLElement | null>(null);
  return (
    <>
      <IconButton
        size="small"
        edge="end"
        aria-label={tooltip ?? `Open the calendar of ${label}`}
        title={tooltip}
        aria-haspopup="dialog"
        aria-expanded={anchor !== null}
        onClick={(event) => setAnchor(event.currentTarget.parentElement)}
      >
        <Icon name="calendar" />
      </IconButton>
      <Popover
        open={anchor !== null}
        anchorEl={anchor}
        onClose={() => setAnchor(null)}
        anchorOrigin={{ vertical: 'bottom', horizontal: 'right' }}
        transformOrigin={{ vertical: 'top', horizontal: 'right' }}
        slotProps={{ paper: { role: 'dialog', 'aria-label': label, className: styles.calendar } }}
      >
        <LoadingFallback fallback={<div className={styles.calendarWaiting} />}>
          <Calendar
            value={value}
            notBefore={notBefore}
            onPick={(date) => {
              setAnchor(null);
              onPick(date);
            }}
          />
        </LoadingFallback>
      </Popover>
    </>
  );
}
