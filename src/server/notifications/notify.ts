import type { Transaction } from '../database/database';
import { messages } from '../live/may-see';
import type { Program } from '../program';

/** A notification to send. */
export interface Message {
  readonly user_id: number;
  readonly title: string;
  readonly content: string | null;
  /** The path of the screen that it refers to, if any. */
  readonly link: string | null;
}

const longestTitle = 255;
const longestContent = 10_000;
/** PostgreSQL allows 65,535 parameters per statement. */
const atOnce = 10_000;

/** Stores notifications, one row per recipient; open screens receive them at the commit. */
export async function notify(program: Program, trx: Transaction, told: readonly Message[]): Promise<void> {
  for (let from = 0; from < told.length; from += atOnce) {
    const rows = told.slice(from, from + atOnce).map(({ user_id, title, content, link }) => ({
      user_id,
      title: shorten(title, longestTitle),
      content: content === null ? null : shorten(content, longestContent),
      link,
    }));
    const stored = await trx
      .withSchema('assay')
      .insertInto('notifications')
      .values(rows)
      .returning(['id', 'user_id'])
      .execute();
    for (const { id, user_id } of stored as { id: number; user_id: number }[]) {
      program.live.publish({ resource: messages, id, event: 'created', user_id }, trx);
    }
  }
}

function shorten(text: string, length: number): string {
  const letters = [...text];
  return letters.length > length ? `${letters.slice(0, length - 1).join('')}…` : text;
}
