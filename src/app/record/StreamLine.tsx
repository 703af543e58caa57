import type { ReactNode } from 'react';
import { formatInstant } from '../../engine/formats/dates';
import { Icon } from '../icons/Icon';
import type { IconName } from '../icons/icons';
import { relativeTime } from '../layout/relativeTime';
import * as styles from './record.module.css';

interface StreamLineProps {
  icon: IconName;
  /** ISO 8601. */
  timestamp: string;
  personName?: string;
  children: ReactNode;
}

/** Something that happened, in one line. */
export function StreamLine({ icon, timestamp, personName, children }: StreamLineProps) {
  return (
    <li className={styles.streamLine}>
      <span className={styles.lineIcon}>
        <Icon name={icon} />
      </span>
      <div className={styles.lineWords}>
        {personName && <b>{personName}</b>} {children}
      </div>
      <time dateTime={timestamp} title={formatInstant(timestamp)}>
        {relativeTime(timestamp)}
      </time>
    </li>
  );
}
