import { useEffect, useState } from 'react';
import { Icon } from '../../../icons/Icon';
import * as styles from './preview.module.css';

/** A notice that the preview is of an earlier draft, with its age. */
export function LastValidNotice({ at }: { at: number }) {
  const [now, setNow] = useState(() => Date.now());
  useEffect(() => {
    const timer = setInterval(() => setNow(Date.now()), 1000);
    return () => clearInterval(timer);
  }, []);
  return (
    <p className={styles.previewLast} role="status">
      <Icon name="warning" />
      <span>
        The preview shows the last valid draft, <span aria-live="off">{formatAge(now - at)}</span>.
      </span>
    </p>
  );
}

/** `40 seconds ago`, `2 minutes ago`. */
export function formatAge(milliseconds: number): string {
  const seconds = Math.max(0, Math.round(milliseconds / 1000));
  const [count, unit] =
    seconds < 60
      ? [seconds, 'second']
      : seconds < 3600
        ? [Math.floor(seconds / 60), 'minute']
        : [Math.floor(seconds / 3600), 'hour'];
  return seconds < 1 ? 'just now' : `${count} ${unit}${count === 1 ? '' : 's'} ago`;
}
