import Button from '@mui/material/Button';
import { useState } from 'react';
import { retryNow, useWaitingChanges } from '../session/connection';
import { setOfflineScreen } from '../states/lazyComponent';
import NotOpened from '../states/NotOpened';
import { formatClockTime } from '../layout/formatClockTime';
import { WaitingChangesDialog } from './WaitingChangesDialog';

setOfflineScreen(NotOpened);

/** The content of the bar of a connection that is lost since an instant, in milliseconds since 1970. */
export function OfflineBar({ lostAt }: { lostAt: number }) {
  const waitingChanges = useWaitingChanges();
  const [isOpen, setOpen] = useState(false);
  const count = waitingChanges.length === 1 ? '1 change waits' : `${waitingChanges.length} changes wait`;
  return (
    <>
      <span>
        No connection since {formatClockTime(lostAt)}. You can go on reading what is loaded, and changing it: it is
        saved when the connection is back.
      </span>
      {waitingChanges.length > 0 && (
        <Button size="small" variant="text" color="inherit" aria-haspopup="dialog" onClick={() => setOpen(true)}>
          {count}
        </Button>
      )}
      <Button size="small" variant="text" color="inherit" onClick={retryNow}>
        Try now
      </Button>
      {isOpen && <WaitingChangesDialog onClose={() => setOpen(false)} />}
    </>
  );
}
