import type { Transaction } from '../database/database';
import { onEngineTables } from '../database/engine-tables';
import type { Queue } from '../queue/queue';

/**
 * A queued mail: its purpose and recipient. It is composed when it is sent, so that neither its text nor the codes in
 * it are stored in the database.
 */
export interface QueuedMail {
  readonly occasion: string;
  readonly about: Readonly<Record<string, unknown>>;
}

/** Queues mails within the transaction; they are sent after the commit. */
export async function queueMails(queue: Queue, trx: Transaction, mails: readonly QueuedMail[]): Promise<void> {
  if (mails.length === 0) return;
  const storedMails = await onEngineTables(trx)
    .insertInto('mails')
    .values(
      mails.map(({ occasion: mailOccasion, about: recipient }) => ({
        occasion: mailOccasion,
        about: JSON.stringify(recipient),
      })),
    )
    .returning('id')
    .execute();
  await queue.send(
    trx,
    'mails',
    storedMails.map(({ id }) => ({ mail: Number(id) })),
  );
}
