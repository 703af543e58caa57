import type { Queries } from '../database/database';
import type { NotificationQuery } from './query';
import { onEngineTables } from '../database/engine-tables';

/** A notification of a user. */
export interface Notification {
  readonly id: number;
  readonly title: string;
  readonly content: string | null;
  /** When it was sent, ISO 8601 in UTC. */
  readonly date: string;
  readonly isRead: boolean;
  /** The path of the screen that it refers to, if any. */
  readonly link: string | null;
}

interface NotificationRow {
  readonly id: number;
  readonly title: string;
  readonly content: string | null;
  readonly link: string | null;
  readonly created_at: string;
  readonly read_at: string | null;
}

const columns = ['id', 'title', 'content', 'link', 'created_at', 'read_at'] as const;

function userNotifications(
  queries: Queries,
  userId: number,
  query?: Pick<NotificationQuery, 'isRead' | 'q' | 'occasion'>,
) {
  let own = onEngineTables(queries).selectFrom('notifications').where('user_id', '=', userId);
  if (query?.isRead !== undefined) own = own.where('read_at', query.isRead ? 'is not' : 'is', null);
  if (query?.occasion) own = own.where('occasion', '=', query.occasion);
  if (!query?.q) return own;
  const part = `%${query.q.replace(/[\\%_]/g, '\\$&')}%`;
  return own.where((where) => where.or([where('title', 'ilike', part), where('content', 'ilike', part)]));
}

/** A page of a user's notifications. */
export async function listNotifications(
  queries: Queries,
  userId: number,
  query: NotificationQuery,
): Promise<Notification[]> {
  const rows = await userNotifications(queries, userId, query)
    .select(columns)
    .orderBy(query.sort.column, query.sort.order)
    .orderBy('id', query.sort.order)
    .offset(query.from)
    .limit(query.limit)
    .execute();
  return rows.map((row) => toNotification(row as NotificationRow));
}

/** The total number of notifications. */
export async function countNotifications(
  queries: Queries,
  userId: number,
  query: Pick<NotificationQuery, 'isRead' | 'q' | 'occasion'>,
): Promise<number> {
  const { count } = await userNotifications(queries, userId, query)
    .select((select) => select.fn.countAll<number>().as('count'))
    .executeTakeFirstOrThrow();
  return count;
}

/** One of a user's notifications. */
export async function findNotification(
  queries: Queries,
  userId: number,
  id: number,
): Promise<Notification | undefined> {
  const row = await userNotifications(queries, userId).select(columns).where('id', '=', id).executeTakeFirst();
  return row && toNotification(row as NotificationRow);
}

/** Marks one of a user's notifications as read, or as unread again. */
export async function markRead(
  queries: Queries,
  userId: number,
  id: number,
  isRead: boolean,
): Promise<Notification | undefined> {
  const row = await onEngineTables(queries)
    .updateTable('notifications')
    .set({ read_at: isRead ? new Date() : null })
    .where('user_id', '=', userId)
    .where('id', '=', id)
    .returning(columns)
    .executeTakeFirst();
  return row && toNotification(row as NotificationRow);
}

/** Marks all of a user's notifications as read. Returns how many were unread. */
export async function markAllRead(queries: Queries, userId: number): Promise<number> {
  const marked = await onEngineTables(queries)
    .updateTable('notifications')
    .set({ read_at: new Date() })
    .where('user_id', '=', userId)
    .where('read_at', 'is', null)
    .executeTakeFirst();
  return Number(marked.numUpdatedRows);
}

function toNotification({ created_at, read_at, ...row }: NotificationRow): Notification {
  return {
    id: row.id,
    title: row.title,
    content: row.content,
    date: created_at,
    isRead: read_at !== null,
    link: row.link,
  };
}
