import IconButton from '@mui/material/IconButton';
import { useQuery } from '@tanstack/react-query';
import { useId } from 'react';
import { Link } from 'react-router-dom';
import { Icon } from '../../src/app/icons/Icon';
import { fetchApi } from '../../src/app/session/api';
import { fetchNotifications, notificationsKey, type Notification } from '../../src/app/screens/notifications/api';
import { NotificationRow } from '../../src/app/screens/notifications/NotificationRow';
import * as chartsStyles from '../../src/app/charts/charts.module.css';
import * as statesStyles from '../../src/app/states/states.module.css';
import * as styles from './dashboard.module.css';

const shownCount = 5;
const pollInterval = 300_000;
const path = `/notifications?range=${encodeURIComponent(JSON.stringify([0, shownCount - 1]))}`;

/** The user's five latest notifications, reloaded every five minutes and whenever a new one arrives. */
export function LatestNotifications() {
  const id = useId();
  const { data, error } = useQuery({
    queryKey: [notificationsKey, 'latest'],
    queryFn: async ({ signal }) => (await fetchApi<{ data: Notification[] }>(path, { signal })).data,
    refetchInterval: pollInterval,
    retry: false,
    meta: { quiet: true, noSpinner: true },
  });
  const { data: unread = 0 } = useQuery({
    queryKey: [notificationsKey, 'unread'],
    queryFn: async ({ signal }) => (await fetchNotifications({ page: 1, unread: true, q: '' }, signal)).total,
    meta: { quiet: true, noSpinner: true },
  });
  return (
    <section className={`${styles.dashCard} ${styles.dashNotes}`} aria-labelledby={id}>
      <header>
        <h2 id={id}>My Notifications</h2>
        {unread > 0 && <small className="num">{unread} unread</small>}
        <span className={chartsStyles.figureGrow} />
        <IconButton size="small" component={Link} to="/notifications" aria-label="Open notifications">
          <Icon name="external" />
        </IconButton>
      </header>
      {data?.length === 0 && (
        <p className={chartsStyles.figureEmpty}>Nothing new. Your notifications will appear here.</p>
      )}
      {!data && error && <p className={chartsStyles.figureEmpty}>{error.message}</p>}
      {!data && !error && (
        <ul aria-hidden="true">
          {Array.from({ length: shownCount }, (_, index) => (
            <li key={index} className={styles.dashNoteSkeleton}>
              <span className={statesStyles.skeleton} />
            </li>
          ))}
        </ul>
      )}
      {data && data.length > 0 && (
        <ul aria-label="My Notifications">
          {data.map((notification) => (
            <NotificationRow
              key={notification.id}
              notification={notification}
              current={false}
              target={`/notifications/${notification.id}`}
            />
          ))}
        </ul>
      )}
    </section>
  );
}
