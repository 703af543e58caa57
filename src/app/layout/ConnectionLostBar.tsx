import Button from '@mui/material/Button';
import { Icon } from '../icons/Icon';
import { retryNow, useLostConnection } from '../session/connection';
import { formatClockTime } from './formatClockTime';
import * as styles from './shell.module.css';

/** Says above the screen that the connection is lost, and since when. */
export function ConnectionLostBar() {
  const since = useLostConnection();
  if (since === null) return null;
  return (
    <aside className={styles.lostBar} role="status" aria-label="Connection">
      <Icon name="warning" size={16} />
      <span>No connection since {formatClockTime(since)}. The data shown may be out of date.</span>
      <Button size="small" variant="text" color="inherit" onClick={retryNow}>
        Try now
      </Button>
    </aside>
  );
}
