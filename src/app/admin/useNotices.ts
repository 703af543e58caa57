import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useNavigate } from 'react-router';
import type { Notice, NoticesButtonProps } from '../layout/NoticesButton';
import { fetchApi } from '../session/api';

interface StoredNotice extends Notice {
  link?: string | null;
}

const key = ['notices'];
const shown = 5;
const often = 300_000;

/** The bell's contents: the latest five messages to the actor, asked for every five minutes. Opening one marks it read. */
export function useNotices(): NoticesButtonProps {
  const queryClient = useQueryClient();
  const navigate = useNavigate();
  const { data = [] } = useQuery({
    queryKey: key,
    queryFn: async () => (await fetchApi<{ data: StoredNotice[] }>('/notifications')).data,
    refetchInterval: often,
    staleTime: often,
    meta: { quiet: true },
  });
  const open = async (notice: Notice) => {
    const { link, isRead } = data.find(({ id }) => id === notice.id) ?? { link: null, isRead: true };
    if (link?.startsWith('/')) navigate(link);
    if (isRead) return;
    await fetchApi(`/notifications/${notice.id}`, { method: 'PATCH', json: { isRead: true } }).catch(() => {});
    await queryClient.invalidateQueries({ queryKey: key });
  };
  return {
    notices: data.slice(0, shown),
    unread: data.filter(({ isRead }) => !isRead).length,
    allPath: '/notifications',
    onOpen: (notice) => void open(notice),
  };
}
