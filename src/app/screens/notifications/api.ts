import { requestApi, fetchApi } from '../../session/api';
import { perPage } from '../../../engine/lists/list-state';

/** A notification of the signed-in user. */
export interface Notification {
  id: number;
  title: string;
  content: string | null;
  date: string;
  isRead: boolean;
  link: string | null;
}

/** Which notifications the list shows. */
export interface NotificationQuery {
  page: number;
  unread: boolean;
  q: string;
}

/** The API path, and the first part of every query key of notifications: the server's events about it invalidate them. */
export const notificationsKey = 'notifications';

/**
 * A page of the user's notifications, newest first, and their total number. Throws ApiError.
 *
 * @example const { data, total } = await fetchNotifications({ page: 1, unread: true, q: '' });
 */
export async function fetchNotifications({ page, unread, q }: NotificationQuery, signal?: AbortSignal) {
  const query = new URLSearchParams({ range: JSON.stringify([(page - 1) * perPage, page * perPage - 1]) });
  if (unread) query.set('isRead', 'false');
  if (q) query.set('q', q);
  const response = await requestApi(`/notifications?${query}`, { signal });
  const { data } = (await response.json()) as { data: Notification[] };
  return { data, total: Number(response.headers.get('Content-Range')?.split('/').pop() ?? data.length) };
}

/** One notification in full. Throws ApiError. */
export async function fetchNotification(id: string, signal?: AbortSignal): Promise<Notification> {
  return (await fetchApi<{ data: Notification }>(`/notifications/${id}`, { signal })).data;
}

/** Marks one as read, or as unread again. */
export async function markRead(id: number, isRead: boolean): Promise<void> {
  await fetchApi(`/notifications/${id}`, { method: 'PATCH', json: { isRead } });
}

/** Marks all as read. */
export async function markAllRead(): Promise<void> {
  await fetchApi('/notifications/read-all', { method: 'POST' });
}
