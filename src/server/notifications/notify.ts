import type { Transaction } from '../database/database';
import { notificationsResource } from '../live/live-hub';
import type { Program } from '../program';
import { onEngineTables } from '../database/engine-tables';
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
  /** What it is sent for: the identifier of its template. */
  readonly occasion?: string;
}

const maxTitleLength = 255;
const maxContentLength = 10_000;
/** PostgreSQL allows 65,535 parameters per statement; a row has six. */
const batchSize = 10_000;

interface StoredNotification {
  readonly id: number;
  readonly user_id: number;
  readonly occasion: string | null;
}

/**
 * Stores notifications, one row per recipient, except for those who chose not to be told; open screens receive them at
 * the commit. Who wants mails at once is sent one, unless the occasion has a mail of its own.
 */
export async function notify(program: Program, trx: Transaction, told: readonly NewNotification[]): Promise<void> {
  if (told.length === 0) return;
  const chosen = await loadChosenChannels(
    trx,
    told.map(({ user_id }) => user_id),
  );
  const channel = ({ user_id, occasion }: Pick<StoredNotification, 'user_id'> & { occasion?: string | null }) =>
    channelOf(program.product, occasion, chosen.get(user_id));
  const wanted = told.filter((one) => channel(one) !== 'none');
  for (let from = 0; from < wanted.length; from += batchSize) {
    const rows = wanted.slice(from, from + batchSize).map((one) => ({
      user_id: one.user_id,
      title: shorten(one.title, maxTitleLength),
      content: one.content === null ? null : shorten(one.content, maxContentLength),
      link: one.link,
      occasion: one.occasion ?? null,
      in_digest: channel(one) === 'digest',
    }));
    const stored = (await onEngineTables(trx)
      .insertInto('notifications')
      .values(rows)
      .returning(['id', 'user_id', 'occasion'])
      .execute()) as StoredNotification[];
    for (const { id, user_id } of stored) {
      program.live.publish({ resource: notificationsResource, id, event: 'created', user_id }, trx);
    }
    const own = program.product.mailOccasions ?? {};
    const mailed = stored.filter((one) => channel(one) === 'mail' && !Object.hasOwn(own, one.occasion ?? ''));
    const mails = mailed.map(({ id, user_id }) => ({
      occasion: 'notification',
      about: { user_id, notifications: [id] },
    }));
    await queueMails(program.queue, trx, mails);
  }
}

function shorten(text: string, length: number): string {
  const letters = [...text];
  return letters.length > length ? `${letters.slice(0, length - 1).join('')}…` : text;
}
