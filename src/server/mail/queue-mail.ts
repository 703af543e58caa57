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

/** Queues a mail within the transaction; it is sent after the commit. */
export async function queueMail(queue: Queue, trx: Transaction, mail: QueuedMail): Promise<void> {
  const { id } = await onEngineTables(trx)
    .insertInto('mails')
    .values({ occasion: mail.occasion, about: JSON.stringify(mail.about) })
    .returning('id')
    .executeTakeFirstOrThrow();
  await queue.send(trx, 'mails', [{ mail: Number(id) }]);
}
