import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useNavigate } from 'react-router-dom';
import { openedLink } from '../../engine/lists/row-actions';
import type { NoticesButtonProps } from './NoticesButton';
import type { Notice } from './NoticesPanel';
import { fetchApi, requestApi } from '../session/api';
import { useViewing } from '../session/viewedUser';
import { useDefinitions } from '../data/DefinitionsContext';

interface StoredNotice extends Notice {
  link?: string | null;
}

/** Begins with the resource name, so that the server's events invalidate it. */
const key = ['notifications', 'bell'];
const allPath = '/notifications';
const shownCount = 5;
const pollInterval = 300_000;

interface Bell {
  latest: StoredNotice[];
  unread: number;
}

async function fetchBell(): Promise<Bell> {
  const range = (last: number) => encodeURIComponent(JSON.stringify([0, last]));
  // In parallel: if the session has ended both fail, and both errors are handled.
  const [unread, { data }] = await Promise.all([
    requestApi(`/notifications?isRead=false&range=${range(0)}`),
    fetchApi<{ data: StoredNotice[] }>(`/notifications?range=${range(shownCount - 1)}`),
  ]);
  const total = unread.headers.get('Content-Range')?.split('/').pop();
  return { latest: data, unread: Number(total ?? data.filter(({ isRead }) => !isRead).length) };
}

/**
 * The bell's contents: the latest five notifications of the actor, refetched every five minutes. Opening one marks it
 * as read.
 *
 * @example <NoticesButton {...useNotices()} />
 */
export function useNotices(): NoticesButtonProps {
  const queryClient = useQueryClient();
  const navigate = useNavigate();
  const { registry } = useDefinitions();
  const isViewing = useViewing() !== null;
  const { data } = useQuery({
    queryKey: key,
    queryFn: fetchBell,
    refetchInterval: pollInterval,
    staleTime: pollInterval,
    meta: { quiet: true, noSpinner: true },
  });
  const { latest, unread } = data ?? { latest: [], unread: 0 };
  const open = async (notice: Notice) => {
    const { link, isRead } = latest.find(({ id }) => id === notice.id) ?? { link: null, isRead: true };
    // A notification without a link opens on its own page.
    await navigate(link?.startsWith('/') ? openedLink(link, registry) : `${allPath}/${notice.id}`);
    if (isRead || isViewing) return;
    await fetchApi(`/notifications/${notice.id}`, { method: 'PATCH', json: { isRead: true } }).catch(() => {});
    await queryClient.invalidateQueries({ queryKey: key.slice(0, 1) });
  };
  return {
    notices: latest,
    unread,
    allPath,
    onOpen: (notice) => void open(notice),
  };
}
