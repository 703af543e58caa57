import useMediaQuery from '@mui/material/useMediaQuery';
import { keepPreviousData, useQuery, useQueryClient } from '@tanstack/react-query';
import { useNotify } from 'react-admin';
import { useNavigate, useParams, useSearchParams } from 'react-router-dom';
import { formatNumber } from '../../../engine/formats/numbers';
import { useCommands } from '../../commands/commands';
import { useChangeToast } from '../../commands/useChangeToast';
import { useDefinitions } from '../../data/DefinitionsContext';
import { Pagination } from '../../list/Pagination';
import { usePage } from '../../layout/page';
import { EmptyState } from '../../states/EmptyState';
import { FailedState } from '../../states/FailedState';
import { SkeletonRows } from '../../states/SkeletonRows';
import {
  fetchNotifications,
  markAllRead,
  markRead,
  notificationsKey,
  type Notification,
  type NotificationQuery,
} from './api';
import { NotificationDetails } from './NotificationDetails';
import { NotificationRow } from './NotificationRow';
import { NotificationTools } from './NotificationTools';
import * as styles from './notifications.module.css';

/** Windows in which the list and a notification stand side by side. */
const wideWindow = '(min-width: 1100px)';
const pollInterval = 300_000;

/** The user's notifications, and the selected one beside them: `j` and `k` go on, `e` is done with it. */
export default function Notifications() {
  const { id } = useParams();
  const [query, setQuery] = useSearchParams();
  const navigate = useNavigate();
  const notify = useNotify();
  const queryClient = useQueryClient();
  const sayChanged = useChangeToast();
  const isViewing = useDefinitions().actor.viewer !== undefined;
  const number = Number(query.get('page') ?? 1);
  const listQuery: NotificationQuery = {
    page: Number.isInteger(number) && number > 0 ? number : 1,
    unread: query.get('unread') === '1',
    q: query.get('q') ?? '',
  };
  const { data, error, refetch } = useQuery({
    queryKey: [notificationsKey, 'list', listQuery],
    queryFn: ({ signal }) => fetchNotifications(listQuery, signal),
    placeholderData: keepPreviousData,
    refetchInterval: pollInterval,
    retry: false,
    meta: { quiet: true },
  });
  const unread = useQuery({
    queryKey: [notificationsKey, 'unread'],
    queryFn: async ({ signal }) => (await fetchNotifications({ page: 1, unread: true, q: '' }, signal)).total,
    meta: { quiet: true },
  });
  usePage({ title: data ? `Notifications | Total Records: ${formatNumber(data.total)}` : 'Notifications', flat: true });

  const changeQuery = (change: Partial<NotificationQuery>) => {
    const { page, unread: unreadOnly, q } = { ...listQuery, page: 1, ...change };
    setQuery({ ...(page > 1 && { page: String(page) }), ...(unreadOnly && { unread: '1' }), ...(q && { q }) });
  };
  const readAll = async () => {
    await markAllRead().catch((failure: Error) => notify(failure.message, { type: 'error' }));
    await queryClient.invalidateQueries({ queryKey: [notificationsKey] });
  };
  const isWide = useMediaQuery(wideWindow, { noSsr: true });
  const rows = data?.data ?? [];
  // Beside the list there is room for one: the first, until another is chosen.
  const shownId = id ?? (isWide && rows[0] ? String(rows[0].id) : undefined);
  const shownIndex = rows.findIndex((row) => String(row.id) === shownId);
  const search = query.toString();
  const open = (row: Notification | undefined) =>
    row && void navigate({ pathname: `/notifications/${row.id}`, search });
  const markAs = async (row: Notification, isRead: boolean) => {
    await markRead(row.id, isRead).catch((failure: Error) => notify(failure.message, { type: 'error' }));
    await queryClient.invalidateQueries({ queryKey: [notificationsKey] });
  };
  const finish = () => {
    const row = rows[shownIndex];
    if (!row) return;
    open(rows[shownIndex + 1]);
    void markAs(row, true).then(() => sayChanged(`${row.title}: done`, () => void markAs(row, false)));
  };
  useCommands(
    () => [
      {
        ...{ id: 'next', label: 'Next notification', keys: 'j', keysOnly: true, isRepeatable: true },
        run: () => open(rows[shownIndex + 1]),
      },
      {
        ...{ id: 'previous', label: 'Previous notification', keys: 'k', keysOnly: true, isRepeatable: true },
        run: () => open(rows[shownIndex - 1]),
      },
      ...(isViewing || shownIndex < 0
        ? []
        : [{ id: 'done', label: 'Done', icon: 'check', keys: 'e', recordsText: rows[shownIndex]?.title, run: finish }]),
    ],
    rows.length > 0,
  );
  if (error && !data) {
    return (
      <FailedState title="Notifications could not be loaded" message={error.message} onRetry={() => void refetch()} />
    );
  }
  const isNarrowed = listQuery.unread || listQuery.q !== '';
  return (
    <>
      <NotificationTools
        listQuery={listQuery}
        unread={unread.data ?? 0}
        onQueryChange={changeQuery}
        onReadAll={() => void readAll()}
      />
      <div className={styles.notes} data-chosen={id !== undefined || undefined}>
        <div className={styles.notesList}>
          {!data && <SkeletonRows />}
          {data?.data.length === 0 && (
            <EmptyState
              title={isNarrowed ? undefined : 'Nothing new'}
              sentence={isNarrowed ? 'No notification matches.' : 'Your notifications will appear here.'}
            />
          )}
          {data && data.data.length > 0 && (
            <ul aria-label="Notifications">
              {data.data.map((notification) => (
                <NotificationRow
                  key={notification.id}
                  notification={notification}
                  current={String(notification.id) === shownId}
                  target={{ pathname: `/notifications/${notification.id}`, search }}
                />
              ))}
            </ul>
          )}
        </div>
        <div className={styles.notesDetails}>
          {shownId !== undefined && (
            <NotificationDetails
              key={shownId}
              id={shownId}
              isChosen={id !== undefined}
              onClose={() => void navigate({ pathname: '/notifications', search })}
            />
          )}
        </div>
      </div>
      <Pagination
        page={listQuery.page}
        shownCount={data?.data.length}
        total={data?.total}
        onPage={(page) => changeQuery({ page })}
      />
    </>
  );
}
