import { Link } from 'react-router-dom';
import { relativeTime } from '../layout/relativeTime';
import * as styles from './shell.module.css';

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

export interface NoticesPanelProps {
  /** The latest, newest first. */
  notices: Notice[];
  /** The path of the list of all notifications. */
  allPath: string;
  onOpen: (notice: Notice) => void;
  /** The list of all notifications is being opened. */
  onSeeAll?: () => void;
}

/** The latest notifications, unread ones marked, and a link to all of them. */
export function NoticesPanel({ notices, allPath, onOpen, onSeeAll }: NoticesPanelProps) {
  return (
    <div className={styles.notices}>
      <header>
        <h2>Notifications</h2>
        <Link to={allPath} onClick={onSeeAll}>
          See all
        </Link>
      </header>
      {notices.length === 0 ? (
        <p className={styles.noticesNone}>Nothing new. Your notifications will appear here.</p>
      ) : (
        <ul>
          {notices.map((notice) => (
            <li key={notice.id}>
              <button type="button" data-unread={!notice.isRead || undefined} onClick={() => onOpen(notice)}>
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
    </div>
  );
}
