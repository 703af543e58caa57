import { sql } from 'kysely';
import type { Transaction } from '../database/database';
import { notificationsResource } from '../live/live-hub';
import type { Program } from '../program';
import { queueMails } from '../mail/queue-mail';
import { loadChosenChannels } from './chosen-channels';
import { channelOf } from './kinds';

/** A notification to send. */
export interface NewNotification {
  readonly user_id: number;
  readonly title: string;
  readonly content: string | null;
  /** The path of the screen that it refers to, if any. */
  readonly link: string | null;
  /** The occasion of the notification: the identifier of its template. */
  readonly occasion?: string;
  /** Of changes of a record: whose, null for the program's, and the entry of the history that it begins with. */
  readonly changes?: { readonly by: number | null; readonly from: number };
  /** The id of the comment that it is about: it is shown only while that is, and a mention only while it mentions them. */
  readonly comment?: number;
  /** The notification of the same person that it takes the place of: it becomes new again, and no second one is stored. */
  readonly replacedNotice?: number;
}

const maxTitleLength = 255;
const maxContentLength = 10_000;
/** PostgreSQL allows 65,535 parameters per statement; a row has nine. */
const batchSize = 7_000;

interface StoredNotification {
  readonly id: number;
  readonly user_id: number;
  readonly occasion: string | null;
}

/**
 * Stores notifications, one row per recipient, except for those who chose not to be told; open screens receive them at
 * the commit. Who wants mails at once is sent one, unless the occasion has a mail of its own.
 */
export async function notify(
  program: Program,
  trx: Transaction,
  notifications: readonly NewNotification[],
): Promise<void> {
  if (notifications.length === 0) return;
  const chosenChannels = await loadChosenChannels(
    trx,
    notifications.map(({ user_id }) => user_id),
  );
  const channel = ({
    user_id,
    occasion: templateName,
  }: Pick<StoredNotification, 'user_id'> & { occasion?: string | null }) =>
    channelOf(program.product, templateName, chosenChannels.get(user_id));
  const sentNotifications = notifications.filter((notification) => channel(notification) !== 'none');
  await replace(
    program,
    trx,
    sentNotifications.filter(({ replacedNotice }) => replacedNotice !== undefined),
  );
  const newNotifications = sentNotifications.filter(({ replacedNotice }) => replacedNotice === undefined);
  for (let offset = 0; offset < newNotifications.length; offset += batchSize) {
    const rows = newNotifications.slice(offset, offset + batchSize).map((notification) => ({
      user_id: notification.user_id,
      title: shorten(notification.title, maxTitleLength),
      content: notification.content === null ? null : shorten(notification.content, maxContentLength),
      link: notification.link,
      occasion: notification.occasion ?? null,
      in_digest: channel(notification) === 'digest',
      changes_from: notification.changes?.from ?? null,
      changed_by: notification.changes?.by ?? null,
      comment_id: notification.comment ?? null,
    }));
    const { rows: storedNotifications } = await sql<StoredNotification>`insert into assay.notifications
        (site_id, user_id, title, content, link, occasion, in_digest, changes_from, changed_by, comment_id)
      select coalesce((select u.site_id from users u where u.id = r.user_id), 0), r.* from json_to_recordset(${JSON.stringify(rows)}::json) as r (user_id bigint, title text, content text,
        link text, occasion text, in_digest boolean, changes_from bigint, changed_by bigint,
        comment_id bigint)
      returning id, user_id, occasion`.execute(trx);
    for (const { id, user_id } of storedNotifications) {
      program.live.publish({ resource: notificationsResource, id, event: 'created', user_id }, trx);
    }
    const productOccasions = program.product.mailOccasions ?? {};
    const mailed = storedNotifications.filter(
      (mailedNotification) =>
        channel(mailedNotification) === 'mail' && !Object.hasOwn(productOccasions, mailedNotification.occasion ?? ''),
    );
    const mails = mailed.map(({ id, user_id }) => ({
      occasion: 'notification',
      about: { user_id, notifications: [id] },
    }));
    await queueMails(program.queue, trx, mails);
  }
}

async function replace({ live }: Program, trx: Transaction, notifications: readonly NewNotification[]): Promise<void> {
  if (notifications.length === 0) return;
  const rows = notifications.map(({ replacedNotice, title, content }) => ({
    id: replacedNotice,
    title: shorten(title, maxTitleLength),
    content: content === null ? null : shorten(content, maxContentLength),
  }));
  const changedRows = await sql<{ id: number; user_id: number }>`update assay.notifications n
    set title = r.title, content = r.content, created_at = now(), made_in = pg_current_xact_id()
    from json_to_recordset(${JSON.stringify(rows)}::json) as r (id bigint, title text, content text)
    where n.id = r.id returning n.id, n.user_id`.execute(trx);
  for (const { id, user_id } of changedRows.rows)
    live.publish({ resource: notificationsResource, id, event: 'updated', user_id }, trx);
}

function shorten(text: string, length: number): string {
  const letters = [...text];
  return letters.length > length ? `${letters.slice(0, length - 1).join('')}…` : text;
}
