import { sql } from 'kysely';
import type { Program } from '../program';
import type { Message, Transport } from './message';
import type { QueuedMail } from './queue-mail';
import { findDueMails } from './outbox-store';
import { mailFailureReason } from './failure-reason';
import { openTransport } from './transport';
import { onEngineTables } from '../database/engine-tables';

/** Composes a queued mail when it is sent; null if it is no longer needed. */
export type ComposeMail = (mail: QueuedMail & { readonly attempts: number }) => Promise<Message | null>;

/** Sends queued mails until it is stopped. */
export interface MailSender {
  stop(): Promise<void>;
}

interface MailRow extends QueuedMail {
  readonly attempts: number;
  readonly old: boolean;
}

/** Seconds to wait after so many failures: half a minute, then longer each time, six hours at most. */
export function retryDelay(failures: number): number {
  return Math.min(30 * 3 ** (failures - 1), 6 * 60 * 60);
}

/** Timeout for sending one mail in milliseconds: shorter than the database allows a transaction to be idle. */
const sendTimeout = 45_000;
/** How long the current mail may take when the program stops, in milliseconds: an aborted one might be sent twice. */
const stopTimeout = 3000;
/** Seconds between two searches for mails whose message is missing, and the most of one search. */
const searchEvery = 60;
const searchSize = 5_000;

/**
 * Starts sending mail: what is left from the previous run, and everything queued from now on. Each mail is locked by
 * its row, so that only one of several servers sends it, and it is released when that server dies. Failed mails are
 * retried for three days with growing delays.
 */
export function startMailSender(
  program: Program,
  compose: ComposeMail,
  transport: Transport = openTransport(program.settings),
): MailSender {
  const cutController = new AbortController();
  const stop = program.queue.work('mails', {
    atOnce: 1,
    run: ({ mail }) => sendMail(program, Number(mail), compose, transport, cutController.signal),
    searchEvery,
    findMissing: (lateSeconds) => findDueMails(program.database.kysely, lateSeconds, searchSize),
  });
  return {
    async stop() {
      const patience = setTimeout(() => cutController.abort(), stopTimeout);
      await stop();
      clearTimeout(patience);
      transport.close();
    },
  };
}

/** Sends a mail if it is due and nobody else is sending it. Throws if the program stops meanwhile. */
async function sendMail(
  { database, queue, log }: Program,
  id: number,
  compose: ComposeMail,
  transport: Transport,
  cutSignal: AbortSignal,
): Promise<void> {
  await database.transaction(async (trx) => {
    const { rows } = await sql<MailRow>`
      select occasion, about, attempts, coalesce(retried_at, created_at) < now() - interval '3 days' as old from assay.mails
      where id = ${id} and next_at <= now() and failed_at is null for update skip locked`.execute(trx);
    const [mail] = rows;
    if (!mail) return;
    try {
      const message = await compose(mail);
      if (message) await transport.send(message, AbortSignal.any([cutSignal, AbortSignal.timeout(sendTimeout)]));
    } catch (error) {
      if (cutSignal.aborted) throw error;
      const raw = (error as Error).message;
      log.warn(
        `A mail (${mail.occasion}) could not be sent${mail.old ? ' for three days and is given up' : ''}: ${raw}`,
      );
      const next = new Date(Date.now() + retryDelay(mail.attempts + 1) * 1_000);
      // A mail that is given up stays visible, but out of the way of servers of the previous version.
      await sql`update assay.mails set attempts = attempts + 1, last_error = ${raw}, reason = ${mailFailureReason(error)},
        next_at = ${mail.old ? '9999-12-31' : next}, failed_at = ${mail.old ? sql`now()` : null} where id = ${id}`.execute(
        trx,
      );
      if (!mail.old) await queue.send(trx, 'mails', [{ mail: id }], next);
      return;
    }
    await onEngineTables(trx).deleteFrom('mails').where('id', '=', id).execute();
  });
}
