import Button from '@mui/material/Button';
import Popover from '@mui/material/Popover';
import { useEffect, useState } from 'react';
import { Link } from 'react-router-dom';
import { describeDuration, formatDuration } from '../../engine/formats/durations';
import { formatDate } from '../../engine/formats/dates';
import { recordPath } from '../../engine/lists/row-actions';
import { firstOf, itemAt } from '../../engine/values/lookups';
import { useCommands } from '../commands/commands';
import { useDefinitions } from '../data/DefinitionsContext';
import { splitInstant } from '../data/localTime';
import { usePopup } from '../dialogs/usePopup';
import { Icon } from '../icons/Icon';
import { timeFieldsOf } from './timeFields';
import { timerParts, useEndTimer } from './useEndTimer';
import type { Timer } from './useTimer';
import * as styles from './timer.module.css';

interface RunningTimerProps {
  timer: Timer;
  /** The screen is about time: `t` stops the timer there. */
  isTimeScreen: boolean;
}

/** The running timer in the bar: how long it has run, on what, and how to end it. */
export function RunningTimer({ timer, isTimeScreen }: RunningTimerProps) {
  const { stop, discard } = useEndTimer();
  const { registry } = useDefinitions();
  const now = useNow();
  const popover = usePopup('dialog');
  // The browser's clock may be behind.
  const minutes = Math.max(0, Math.floor((Date.parse(now) - Date.parse(timer.started_at)) / 60_000));
  const length = describeDuration(minutes);
  const title = timer.record?.title ?? 'A record that you can no longer see';
  const definition = registry.get(timer.resource);
  const target = definition?.timer && registry.get(timeFieldsOf(definition).relation.to);
  const path = timer.record && target ? recordPath(target, { id: timer.record.id }) : undefined;
  const begin = splitInstant(timer.started_at);
  const parts = timerParts(timer.started_at, now);
  // Longer than until the next day: it was forgotten, and only its first day is likely.
  const recorded = parts.length > 2 ? parts.slice(0, 1) : undefined;
  const stopNow = popover.and(() => stop(timer, recorded));
  const discardNow = popover.and(() => discard(timer, length));
  useCommands(() => [
    {
      ...{ id: 'stop timer', label: 'Stop timer', icon: 'clock', recordsText: title, run: stopNow },
      ...(isTimeScreen && { keys: 't' }),
    },
    { id: 'discard timer', label: 'Discard timer', icon: 'trash', recordsText: title, run: discardNow },
  ]);
  return (
    <>
      <button type="button" className={styles.timer} aria-label={`Timer, ${length}, ${title}`} {...popover.button}>
        <Icon name="clock" />
        <span className="num">{formatDuration(minutes)}</span>
      </button>
      <Popover
        {...popover.popup}
        anchorOrigin={{ vertical: 'bottom', horizontal: 'right' }}
        transformOrigin={{ vertical: -6, horizontal: 'right' }}
        slotProps={{ paper: { className: styles.timerPopover, role: 'dialog', 'aria-label': 'Timer' } }}
      >
        <p className={styles.timerTitle}>
          {path === undefined ? (
            title
          ) : (
            <Link to={path} onClick={popover.close}>
              {title}
            </Link>
          )}
        </p>
        {begin && (
          <p className="num">
            {length} since {begin.time}
            {parts.length > 1 && `, ${formatDate(begin.date)}`}
          </p>
        )}
        {parts.length === 2 && (
          <p>
            It ran past midnight. A record is of one day, so there will be two: until the end of{' '}
            {formatDate(firstOf(parts).date)}, and from 00:00 of {formatDate(itemAt(parts, 1).date)}.
          </p>
        )}
        {recorded && (
          <p>
            It has run for {parts.length} days. Stopping it offers the first day until midnight; change the end before
            you save.
          </p>
        )}
        <div className={styles.timerActions}>
          <Button variant="outlined" onClick={discardNow}>
            Discard
          </Button>
          <Button variant="contained" autoFocus onClick={stopNow}>
            Stop
          </Button>
        </div>
      </Popover>
    </>
  );
}

/** The time, twice a minute. */
function useNow(): string {
  const [now, setNow] = useState(() => new Date().toISOString());
  useEffect(() => {
    const tick = setInterval(() => setNow(new Date().toISOString()), 30_000);
    return () => clearInterval(tick);
  }, []);
  return now;
}
