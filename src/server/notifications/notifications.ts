import { sql, type RawBuilder } from 'kysely';
import type { RequestContext } from '../access/request-context';
import { isStillSaid, recordOf, visibleTitles } from '../accounts/mails/noticed-records';
import { runStatement, type Queries } from '../database/database';
import { bind, fixedStatement, Placeholder } from '../records/read/statement-cache';
import type { NotificationQuery } from './query';
import { firstOf } from '../../engine/values/lookups';
import { noCompany } from '../sql/company-key';

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

/** Which of a user's notifications. */
type NotificationFilter = Pick<NotificationQuery, 'isRead' | 'q' | 'occasion'>;

const slots = {
  site: new Placeholder('site'),
  user: new Placeholder('user'),
  internal: new Placeholder('internal'),
  occasion: new Placeholder('occasion'),
  part: new Placeholder('part'),
};

/** Whose notifications, their company (null: the installation), and the resources whose internal comments they read. */
export interface NoticeReader {
  readonly id: number;
  readonly site_id: number | null;
  readonly internal: readonly string[];
}

/** Has the statements of lists, which differ in how they are filtered and sorted. */
const lists = {};

function filterSql({ isRead, q, occasion: templateName }: NotificationFilter): RawBuilder<unknown> {
  const tests = [sql`site_id = ${slots.site} and user_id = ${slots.user}`, isStillSaid(slots.internal)];
  if (isRead !== undefined) tests.push(isRead ? sql`read_at is not null` : sql`read_at is null`);
  if (templateName) tests.push(sql`occasion = ${slots.occasion}`);
  if (q) tests.push(sql`(title ilike ${slots.part} or content ilike ${slots.part})`);
  return sql.join(tests, sql` and `);
}

/** Identifies the text of `filterSql`. */
function filterKey({ isRead, q, occasion: templateName }: NotificationFilter): string {
  return JSON.stringify([isRead, Boolean(q), Boolean(templateName)]);
}

function filterValues(
  { id, site_id: company, internal }: NoticeReader,
  { q, occasion: templateName }: NotificationFilter,
): Record<string, unknown> {
  return {
    site: company ?? noCompany,
    user: id,
    internal,
    occasion: templateName,
    part: `%${q?.replace(/[\\%_]/g, '\\$&')}%`,
  };
}

/** A page of a user's notifications. */
export async function listNotifications(
  queries: Queries,
  reader: NoticeReader,
  query: NotificationQuery,
): Promise<Notification[]> {
  const { column, order } = query.sort;
  const plan = fixedStatement(lists, `page ${column} ${order} ${filterKey(query)}`, queries, () => {
    const direction = sql.raw(order);
    return sql`select id, title, content, link, created_at, read_at
      from assay.notifications n where ${filterSql(query)}
      order by ${sql.id(column)} ${direction}, id ${direction}
      limit ${new Placeholder('limit')} offset ${new Placeholder('offset')}`;
  });
  const values = { ...filterValues(reader, query), limit: query.limit, offset: query.from };
  return (await runStatement<NotificationRow>(queries, bind(plan, values))).map(toNotification);
}

/** The total number of notifications. */
export async function countNotifications(
  queries: Queries,
  reader: NoticeReader,
  query: NotificationFilter,
): Promise<number> {
  const plan = fixedStatement(
    lists,
    `count ${filterKey(query)}`,
    queries,
    () => sql`select count(*)::integer as count from assay.notifications n where ${filterSql(query)}`,
  );
  const row = firstOf(await runStatement<{ count: number }>(queries, bind(plan, filterValues(reader, query))));
  return row.count;
}

/** One of a user's notifications. */
export async function findNotification(
  queries: Queries,
  reader: NoticeReader,
  id: number,
): Promise<Notification | undefined> {
  const { rows } = await sql<NotificationRow>`select id, title, content, link, created_at, read_at
    from assay.notifications n where site_id = ${reader.site_id ?? noCompany} and user_id = ${reader.id} and id = ${id}
      and ${isStillSaid(reader.internal)}`.execute(queries);
  return rows[0] && toNotification(rows[0]);
}

/** Marks one of a user's notifications as read, or as unread again. */
export async function markRead(
  queries: Queries,
  reader: NoticeReader,
  id: number,
  isRead: boolean,
): Promise<Notification | undefined> {
  const { rows } = await sql<NotificationRow>`update assay.notifications n set read_at = ${isRead ? new Date() : null}
    where site_id = ${reader.site_id ?? noCompany} and user_id = ${reader.id} and id = ${id} and ${isStillSaid(reader.internal)}
    returning id, title, content, link, created_at, read_at`.execute(queries);
  return rows[0] && toNotification(rows[0]);
}

/** Marks all of a user's notifications as read. Returns how many were unread. */
export async function markAllRead(queries: Queries, reader: Pick<NoticeReader, 'id' | 'site_id'>): Promise<number> {
  const { numAffectedRows } = await sql`update assay.notifications set read_at = ${new Date()}
    where site_id = ${reader.site_id ?? noCompany} and user_id = ${reader.id} and read_at is null`.execute(queries);
  return Number(numAffectedRows);
}

/** The title of a record that is deleted, or that the reader may no longer view. */
const hiddenTitle = 'About a record that you can no longer view';

/** Notifications as their reader gets them: of records that they may not view now, only that there were any. */
export async function withoutHiddenRecords(
  context: RequestContext,
  notifications: readonly Notification[],
): Promise<Notification[]> {
  const titles = await visibleTitles(context, context.program.database.kysely, notifications);
  return notifications.map((notification) => {
    const { link } = notification;
    const linkedRecord = recordOf(link);
    const isHidden = link !== null && linkedRecord && context.registry.get(linkedRecord.resource) && !titles.has(link);
    return isHidden ? { ...notification, title: hiddenTitle, content: null, link: null } : notification;
  });
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
