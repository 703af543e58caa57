import type { Transaction } from '../database/database';
import { notificationsResource } from '../live/live-hub';
import type { Program } from '../program';
import { onEngineTables } from '../database/engine-tables';

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
/** PostgreSQL allows 65,535 parameters per statement. */
const batchSize = 10_000;

/** Stores notifications, one row per recipient; open screens receive them at the commit. */
export async function notify(program: Program, trx: Transaction, told: readonly NewNotification[]): Promise<void> {
  for (let from = 0; from < told.length; from += batchSize) {
    const rows = told.slice(from, from + batchSize).map(({ user_id, title, content, link, occasion }) => ({
      user_id,
      title: shorten(title, maxTitleLength),
      content: content === null ? null : shorten(content, maxContentLength),
      link,
      occasion: occasion ?? null,
    }));
    const stored = await onEngineTables(trx)
      .insertInto('notifications')
      .values(rows)
      .returning(['id', 'user_id'])
      .execute();
    for (const { id, user_id } of stored as { id: number; user_id: number }[]) {
      program.live.publish({ resource: notificationsResource, id, event: 'created', user_id }, trx);
    }
  }
}

function shorten(text: string, length: number): string {
  const letters = [...text];
  return letters.length > length ? `${letters.slice(0, length - 1).join('')}…` : text;
}
