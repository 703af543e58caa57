import Box from '@mui/material/Box';
import { useEffect, useRef } from 'react';
import { Link, type To } from 'react-router-dom';
import { relativeTime } from '../../layout/relativeTime';
import type { Notification } from './api';
import * as styles from './notifications.module.css';

interface NotificationRowProps {
  notification: Notification;
  current: boolean;
  target: To;
}

/** A row of the list; unread ones have a dot, a tint, and a text for screen readers. */
export function NotificationRow({
  notification: { title, content, date, isRead },
  current,
  target,
}: NotificationRowProps) {
  const link = useRef<HTMLAnchorElement>(null);
  useEffect(() => {
    if (current) link.current?.scrollIntoView?.({ block: 'nearest' });
  }, [current]);
  return (
    <li>
      <Link
        ref={link}
        to={target}
        className={styles.note}
        data-unread={!isRead || undefined}
        aria-current={current || undefined}
      >
        <i aria-hidden="true" />
        <span>
          {!isRead && <span className="unseen">Unread: </span>}
          <b>{title}</b>
          {content && <small>{content}</small>}
        </span>
        <Box dateTime={date} className="num" component="time" sx={{ flex: 'none', color: 'var(--t3)', fontSize: 12 }}>
          {relativeTime(date)}
        </Box>
      </Link>
    </li>
  );
}
