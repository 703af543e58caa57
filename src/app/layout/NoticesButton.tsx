import Badge from '@mui/material/Badge';
import IconButton from '@mui/material/IconButton';
import Popover from '@mui/material/Popover';
import { useState } from 'react';
import { Link } from 'react-router';
import { Icon } from '../icons/Icon';
import { relativeTime } from './relativeTime';

/** A notification for the signed-in user. */
export interface Notice {
  id: number;
  title: string;
  /** A second line. */
  content?: string;
  /** An instant, ISO 8601. */
  date: string;
  isRead: boolean;
}

export interface NoticesButtonProps {
  /** The latest, newest first. */
  notices: Notice[];
  unread: number;
  /** The path of the list of all notifications. */
  allPath: string;
  onOpen: (notice: Notice) => void;
}

/** The bell: the number of unread notifications, and a list of the latest. */
export function NoticesButton({ notices, unread, allPath, onOpen }: NoticesButtonProps) {
  const [anchor, setAnchor] = useState<HTMLElement | null>(null);
  const close = () => setAnchor(null);
  return (
    <>
      <IconButton
        aria-label={unread > 0 ? `Notifications, ${unread} unread` : 'Notifications'}
        aria-haspopup="dialog"
        aria-expanded={anchor !== null}
        onClick={(event) => setAnchor(event.currentTarget)}
      >
        <Badge badgeContent={unread} max={99} color="error" overlap="circular" className="notices-badge">
          <Icon name="bell" size={18} />
        </Badge>
      </IconButton>
      <Popover
        open={anchor !== null}
        anchorEl={anchor}
        onClose={close}
        anchorOrigin={{ vertical: 'bottom', horizontal: 'right' }}
        transformOrigin={{ vertical: -6, horizontal: 'right' }}
        slotProps={{ paper: { className: 'notices', role: 'dialog', 'aria-label': 'Notifications' } }}
      >
        <header>
          <h2>Notifications</h2>
          <Link to={allPath} onClick={close}>
            See all
          </Link>
        </header>
        {notices.length === 0 ? (
          <p className="notices-none">Nothing new. Your notifications will appear here.</p>
        ) : (
          <ul>
            {notices.map((notice) => (
              <li key={notice.id}>
                <button
                  type="button"
                  data-unread={!notice.isRead || undefined}
                  onClick={() => {
                    close();
                    onOpen(notice);
                  }}
                >
                  <i aria-hidden="true" />
                  <span>
                    {!notice.isRead && <span className="unseen">Unread:</span>} <b>{notice.title}</b>{' '}
                    {notice.content && <small>{notice.content}</small>}
                  </span>{' '}
                  <time dateTime={notice.date}>{relativeTime(notice.date)}</time>
                </button>
              </li>
            ))}
          </ul>
        )}
      </Popover>
    </>
  );
}
