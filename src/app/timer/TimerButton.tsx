import Button from '@mui/material/Button';
import Popover from '@mui/material/Popover';
import { useEffect, useState } from 'react';
import { describeMinutes } from '../../engine/field-types/duration';
import { formatDate } from '../../engine/formats/dates';
import { firstOf, itemAt } from '../../engine/values/lookups';
import { useCommands } from '../commands/commands';
import { splitInstant } from '../data/localTime';
import { usePopup } from '../dialogs/usePopup';
import { Icon } from '../icons/Icon';
import { useTimer, type Timer, timerParts } from './useTimer';
import * as styles from './timer.module.css';

/** The running timer in the bar: how long it has run, on what, and how to end it. Nothing while none runs. */
export default function TimerButton() {
  const { timer, ...actions } = useTimer();
  return timer && <RunningTimer key={timer.started_at} timer={timer} {...actions} />;
}

interface RunningTimerProps extends Omit<ReturnType<typeof useTimer>, 'timer'> {
  timer: Timer;
}

function RunningTimer({ timer, stop, discard }: RunningTimerProps) {
  const now = useNow();
  const popover = usePopup('dialog');
  const length = describeMinutes(Math.floor((Date.parse(now) - Date.parse(timer.started_at)) / 60_000)) || '0m';
  const title = timer.record?.title ?? 'A record that you can no longer see';
  const begin = splitInstant(timer.started_at);
  const parts = timerParts(timer.started_at, now);
  // Longer than until the next day: it was forgotten, and only its first day is likely.
  const recorded = parts.length > 2 ? parts.slice(0, 1) : undefined;
  const stopNow = popover.and(() => stop(timer, recorded));
  const discardNow = popover.and(() => discard(timer, length));
  useCommands(() => [
    { id: 'stop timer', label: 'Stop timer', icon: 'clock', recordsText: title, run: stopNow },
    { id: 'discard timer', label: 'Discard timer', icon: 'trash', recordsText: title, run: discardNow },
  ]);
  return (
    <>
      <button type="button" className={styles.timer} aria-label={`Timer, ${length}, ${title}`} {...popover.button}>
        <Icon name="clock" />
        <span className="num">{length}</span>
      </button>
      <Popover
        {...popover.popup}
        anchorOrigin={{ vertical: 'bottom', horizontal: 'right' }}
        transformOrigin={{ vertical: -6, horizontal: 'right' }}
        slotProps={{ paper: { className: styles.timerPopover, role: 'dialog', 'aria-label': 'Timer' } }}
      >
        <p className={styles.timerTitle}>{title}</p>
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
