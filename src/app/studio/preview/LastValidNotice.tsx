import { useEffect, useState } from 'react';
import { Icon } from '../../icons/Icon';
import { formatAge } from '../timeAgo';
import * as styles from './preview.module.css';

/** A notice that the preview is of an earlier draft, with its age. */
export function LastValidNotice({ time }: { time: number }) {
  const [now, setNow] = useState(() => Date.now());
  useEffect(() => {
    const timer = setInterval(() => setNow(Date.now()), 1000);
    return () => clearInterval(timer);
  }, []);
  return (
    <p className={styles.previewLast} role="status">
      <Icon name="warning" />
      <span>
        The preview shows the last valid draft, <span aria-live="off">{formatAge(now - time)}</span>.
      </span>
    </p>
  );
}
