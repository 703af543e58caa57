import { sql } from 'kysely';
import type { Database, Transaction } from '../database/database';

/** Tells every server that there is mail to send. */
export const mailChannel = 'assay_mail';

/**
 * A mail that is wanted: what for, and for whom. It is written out when it is sent, so that neither its words nor the
 * code in it lie in the database.
 */
export interface WantedMail {
  readonly occasion: string;
  readonly about: Readonly<Record<string, unknown>>;
}

/** Wants a mail, kept with what the transaction stores and sent after its commit. Costs the request one insert. */
export async function wantMail(database: Database, trx: Transaction, mail: WantedMail): Promise<void> {
  await sql`insert into assay.mails (occasion, about) values (${mail.occasion}, ${JSON.stringify(mail.about)}::jsonb)`.execute(
    trx,
  );
  await database.notify(mailChannel, '', trx);
}
