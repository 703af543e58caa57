import { sql } from 'kysely';
import { queueOccasionMail } from '../accounts/mails/mails';
import type { Queries, Transaction } from '../database/database';
import type { Program } from '../program';
import { channelOf, type ChosenChannels } from './kinds';

/** The choices of these users, by their ids; users without a choice are left out. */
export async function loadChosenChannels(
  queries: Queries,
  users: readonly number[],
): Promise<ReadonlyMap<number, ChosenChannels>> {
  const { rows } = await sql<{ user_id: number; channels: ChosenChannels }>`select user_id, channels
    from assay.notice_choices where user_id = any(${[...new Set(users)]}::bigint[])`.execute(queries);
  return new Map(rows.map(({ user_id, channels }) => [user_id, channels]));
}

/**
 * Mails an occasion that has a mail of its own (`mailOccasions` of the product) to those of these users who want mails
 * of it at once. The path is that of the mail's link.
 *
 * @example await mailThoseWhoWant(program, trx, 'deal_won', { users: [7, 8], path: '/deals/3' });
 */
export async function mailThoseWhoWant(
  program: Program,
  trx: Transaction,
  templateName: string,
  { users, path }: { readonly users: readonly number[]; readonly path: string },
): Promise<void> {
  if (users.length === 0) return;
  const chosenChannels = await loadChosenChannels(trx, users);
  for (const user of users) {
    if (channelOf(program.product, templateName, chosenChannels.get(user)) === 'mail')
      await queueOccasionMail(program, trx, templateName, { user_id: user, path });
  }
}
