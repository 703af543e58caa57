import { useEffect, useState } from 'react';
import { Icon } from '../icons/Icon';
import { useLostConnection } from '../session/connection';
import { lazyDetail, preloadComponent } from '../states/lazyComponent';
import { formatClockTime } from '../layout/formatClockTime';
import * as styles from './shell.module.css';

const load = () => import('./OfflineBar').then((module) => ({ default: module.OfflineBar }));
// Without a connection its code cannot be loaded any more, which the bar itself says.
const OfflineBar = lazyDetail(load, SinceWhen);

/** Loads what the bar shows while there still is a connection. */
export const preloadOfflineBar = () => preloadComponent(load);

function SinceWhen({ lostAt }: { lostAt: number }) {
  return <span>No connection since {formatClockTime(lostAt)}. The data shown may be out of date.</span>;
}

/** Says above the screen that the connection is lost, since when, what still works, and which changes wait for it. */
export function ConnectionLostBar() {
  const lostAt = useLostConnection();
  if (lostAt === null) return null;
  return (
    <div className={styles.lostBar} role="status" aria-label="Connection">
      <Icon name="warning" size={16} />
      <OfflineBar lostAt={lostAt} />
    </div>
  );
}

/** How long what is shown counts as fresh without a connection, in milliseconds. */
const freshFor = 60_000;

/** Whether there has been no connection for so long that what is shown may be out of date. */
export function useIsStale(): boolean {
  const lostAt = useLostConnection();
  const [staleSince, setStaleSince] = useState<number | null>(null);
  useEffect(() => {
    if (lostAt === null) return;
    const timer = setTimeout(() => setStaleSince(lostAt), freshFor);
    return () => clearTimeout(timer);
  }, [lostAt]);
  return lostAt !== null && staleSince === lostAt;
}
