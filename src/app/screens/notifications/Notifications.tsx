import useMediaQuery from '@mui/material/useMediaQuery';
import { keepPreviousData, useQuery, useQueryClient } from '@tanstack/react-query';
import { useEffect, useState } from 'react';
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

/** Windows in which a notification is shown beside the list before one is chosen. */
const wideWindow = '(min-width: 1100px)';
const pollInterval = 300_000;

/** The notification that is shown, as it was last in the list. */
interface ShownRow {
  readonly row: Notification;
  /** The query of the list. */
  readonly search: string;
  readonly isChosen: boolean;
}

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
  const { data, error, refetch, isPlaceholderData } = useQuery({
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
  const search = query.toString();
  const [lastShown, setLastShown] = useState<ShownRow>();
  const lastOfQuery = lastShown?.search === search ? lastShown : undefined;
  // Beside the list there is room for one: the first, until another is chosen. One that arrives does not take its place.
  const firstRow = lastOfQuery?.isChosen === false ? lastOfQuery.row : rows[0];
  const shownId = id ?? (isWide && firstRow ? String(firstRow.id) : undefined);
  const listedIndex = rows.findIndex((row) => String(row.id) === shownId);
  const listedRow = rows[listedIndex];
  // Where only unread ones are listed, the shown one leaves the list as it is read.
  const shownRow: ShownRow | undefined = listedRow
    ? { row: listedRow, search, isChosen: id !== undefined }
    : String(lastOfQuery?.row.id) === shownId
      ? lastOfQuery
      : undefined;
  useEffect(() => {
    if (listedRow && !isPlaceholderData) setLastShown({ row: listedRow, search, isChosen: id !== undefined });
  }, [id, isPlaceholderData, listedRow, search]);
  const nextRow = listedRow || !shownRow ? rows[listedIndex + 1] : rows.find(({ date }) => date <= shownRow.row.date);
  const previousRow =
    listedRow || !shownRow ? rows[listedIndex - 1] : rows.findLast(({ date }) => date > shownRow.row.date);
  const open = (row: Notification | undefined) =>
    row && void navigate({ pathname: `/notifications/${row.id}`, search }, { replace: id !== undefined });
  /** False: it was refused, which is said. */
  const markAs = async (row: Notification, isRead: boolean) => {
    const isMarked = await markRead(row.id, isRead).then(
      () => true,
      (failure: Error) => {
        notify(failure.message, { type: 'error' });
        return false;
      },
    );
    await queryClient.invalidateQueries({ queryKey: [notificationsKey] });
    return isMarked;
  };
  const finish = async ({ row }: ShownRow) => {
    const wasUnread = listedRow?.isRead === false;
    open(nextRow);
    if (await markAs(row, true))
      sayChanged(`${row.title}: done`, wasUnread ? () => void markAs(row, false) : undefined);
  };
  useCommands(
    () => [
      {
        ...{ id: 'next', label: 'Next notification', keys: 'j', keysOnly: true, isRepeatable: true },
        run: () => open(nextRow),
      },
      {
        ...{ id: 'previous', label: 'Previous notification', keys: 'k', keysOnly: true, isRepeatable: true },
        run: () => open(previousRow),
      },
      ...(isViewing || !shownRow
        ? []
        : [
            {
              ...{ id: 'done', label: 'Done', icon: 'check', keys: 'e', recordsText: shownRow.row.title },
              run: () => void finish(shownRow),
            },
          ]),
    ],
    rows.length > 0 || shownRow !== undefined,
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
