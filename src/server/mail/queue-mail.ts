import type { Database, Transaction } from '../database/database';
import { onEngineTables } from '../database/engine-tables';

/** Notifies every server that there is mail to send. */
export const mailChannel = 'assay_mail';

/**
 * A queued mail: its purpose and recipient. It is composed when it is sent, so that neither its text nor the codes in
 * it are stored in the database.
 */
export interface QueuedMail {
  readonly occasion: string;
  readonly about: Readonly<Record<string, unknown>>;
}

/** Queues a mail within the transaction; it is sent after the commit. Costs the request one insert. */
export async function queueMail(database: Database, trx: Transaction, mail: QueuedMail): Promise<void> {
  await onEngineTables(trx)
    .insertInto('mails')
    .values({ occasion: mail.occasion, about: JSON.stringify(mail.about) })
    .execute();
  await database.notify(mailChannel, '', trx);
}
