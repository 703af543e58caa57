import { sql } from 'kysely';
import type { Program } from '../program';
import type { Message, Transport } from './message';
import { mailChannel, type QueuedMail } from './queue-mail';
import { deleteOldMails } from './outbox-store';
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
  readonly id: number;
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
/** Milliseconds between two checks of the outbox, even without notifications. */
const checkInterval = 60_000;

/**
 * Starts sending mail: what is left from the previous run, and everything queued from now on. Each mail is locked by
 * its row, so that only one of several servers sends it, and it is released when that server dies. Failed mails are
 * retried for three days with growing delays.
 */
export async function startMailSender(
  program: Program,
  compose: ComposeMail,
  transport: Transport = openTransport(program.settings),
): Promise<MailSender> {
  const { database, log } = program;
  const cut = new AbortController();
  let stopped = false;
  let working: Promise<void> | undefined;
  let checkAgain = false;
  let timer: NodeJS.Timeout | undefined;

  async function sendAll(): Promise<void> {
    let wait = checkInterval;
    do {
      checkAgain = false;
      while (!stopped && (await sendNext(program, compose, transport, cut.signal)));
      if (!stopped) wait = await millisecondsToNext(program);
      // A notification may have arrived during the query.
    } while (checkAgain && !stopped);
    if (!stopped) timer = setTimeout(check, wait).unref();
  }

  function check(): void {
    clearTimeout(timer);
    checkAgain = true;
    if (stopped || working) return;
    working = sendAll()
      .catch((error: Error) => {
        log.warn(`The outbox could not be read: ${error.message}`);
        if (!stopped) timer = setTimeout(check, checkInterval).unref();
      })
      .finally(() => {
        working = undefined;
      });
  }

  const deleteOld = () =>
    void deleteOldMails(database.kysely, program.settings.jobs.retentionDays).catch((error: Error) =>
      log.warn(`Old mails could not be deleted: ${error.message}`),
    );
  const tidying = setInterval(deleteOld, 60 * 60_000).unref();
  deleteOld();
  const unlisten = await database.listen(mailChannel, check);
  check();
  return {
    async stop() {
      stopped = true;
      const unlistened = unlisten();
      clearInterval(tidying);
      clearTimeout(timer);
      const patience = setTimeout(() => cut.abort(), stopTimeout);
      await working;
      // Even if this fails, no more mail is sent.
      await unlistened.catch((error: Error) => log.warn(`The mail channel could not be closed: ${error.message}`));
      clearTimeout(patience);
      clearTimeout(timer);
      transport.close();
    },
  };
}

/** Sends the longest-waiting due mail. Returns whether there was one. */
async function sendNext(
  { database, log }: Program,
  compose: ComposeMail,
  transport: Transport,
  cut: AbortSignal,
): Promise<boolean> {
  return database.transaction(async (trx) => {
    const { rows } = await sql<MailRow>`
      select id, occasion, about, attempts, coalesce(retried_at, created_at) < now() - interval '3 days' as old from assay.mails
      where next_at <= now() and failed_at is null order by next_at, id limit 1 for update skip locked`.execute(trx);
    const [mail] = rows;
    if (!mail) return false;
    try {
      const message = await compose(mail);
      if (message) await transport.send(message, AbortSignal.any([cut, AbortSignal.timeout(sendTimeout)]));
    } catch (error) {
      if (cut.aborted) return false;
      const raw = (error as Error).message;
      log.warn(
        `A mail (${mail.occasion}) could not be sent${mail.old ? ' for three days and is given up' : ''}: ${raw}`,
      );
      // A mail that is given up stays visible, but out of the way of servers of the previous version.
      const next = mail.old ? sql`'9999-12-31'` : sql`now() + make_interval(secs => ${retryDelay(mail.attempts + 1)})`;
      await sql`update assay.mails set attempts = attempts + 1, last_error = ${raw}, reason = ${mailFailureReason(error)},
        next_at = ${next}, failed_at = ${mail.old ? sql`now()` : null} where id = ${mail.id}`.execute(trx);
      return true;
    }
    await onEngineTables(trx).deleteFrom('mails').where('id', '=', mail.id).execute();
    return true;
  });
}

/** Milliseconds until the next mail is due, or until the next check. */
async function millisecondsToNext({ database }: Program): Promise<number> {
  const { rows } = await sql<{ wait: number | null }>`
    select extract(epoch from min(next_at) - now())::float8 * 1000 as wait from assay.mails
    where next_at > now() and failed_at is null`.execute(database.kysely);
  return Math.min(Math.max(rows[0]?.wait ?? checkInterval, 100), checkInterval);
}
