import { sql } from 'kysely';
import type { Program } from '../program';
import type { Message, Transport } from './message';
import { mailChannel, type WantedMail } from './outbox';
import { dropOldMails } from './outbox-store';
import { reasonOf } from './reason';
import { openTransport } from './transport';

/** Composes a queued mail when it is sent; null if it is no longer needed. */
export type Compose = (mail: WantedMail & { readonly attempts: number }) => Promise<Message | null>;

/** Sends queued mails until it is stopped. */
export interface Sender {
  stop(): Promise<void>;
}

interface Kept extends WantedMail {
  readonly id: number;
  readonly attempts: number;
  readonly old: boolean;
}

/** Seconds to wait after so many failures: half a minute, then longer each time, six hours at most. */
export function pauseAfter(failures: number): number {
  return Math.min(30 * 3 ** (failures - 1), 6 * 60 * 60);
}

/** Timeout for sending one mail in milliseconds: shorter than the database allows a transaction to be idle. */
const limit = 45_000;
/** How long the current mail may take when the program stops, in milliseconds: an aborted one might be sent twice. */
const grace = 3000;
/** Milliseconds between two checks of the outbox, even without notifications. */
const lookEvery = 60_000;

/**
 * Starts sending mail: what is left from the previous run, and everything queued from now on. Each mail is locked by
 * its row, so that only one of several servers sends it, and it is released when that server dies. Failed mails are
 * retried for three days with growing delays.
 */
export async function startSender(
  program: Program,
  compose: Compose,
  transport: Transport = openTransport(program.settings),
): Promise<Sender> {
  const { database, log } = program;
  const cut = new AbortController();
  let stopped = false;
  let working: Promise<void> | undefined;
  let wantedAgain = false;
  let timer: NodeJS.Timeout | undefined;

  async function work(): Promise<void> {
    let wait = lookEvery;
    do {
      wantedAgain = false;
      while (!stopped && (await sendNext(program, compose, transport, cut.signal)));
      if (!stopped) wait = await untilNext(program);
      // A notification may have arrived during the query.
    } while (wantedAgain && !stopped);
    if (!stopped) timer = setTimeout(look, wait).unref();
  }

  function look(): void {
    clearTimeout(timer);
    wantedAgain = true;
    if (stopped || working) return;
    working = work()
      .catch((error: Error) => {
        log.warn(`The outbox could not be read: ${error.message}`);
        if (!stopped) timer = setTimeout(look, lookEvery).unref();
      })
      .finally(() => {
        working = undefined;
      });
  }

  const tidy = () =>
    void dropOldMails(database.kysely, program.settings.jobs.keptDays).catch((error: Error) =>
      log.warn(`Old mails could not be deleted: ${error.message}`),
    );
  const tidying = setInterval(tidy, 60 * 60_000).unref();
  tidy();
  const unlisten = await database.listen(mailChannel, look);
  look();
  return {
    async stop() {
      stopped = true;
      const unlistened = unlisten();
      clearInterval(tidying);
      clearTimeout(timer);
      const patience = setTimeout(() => cut.abort(), grace);
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
  compose: Compose,
  transport: Transport,
  cut: AbortSignal,
): Promise<boolean> {
  return database.transaction(async (trx) => {
    const { rows } = await sql<Kept>`
      select id, occasion, about, attempts, coalesce(retried_at, created_at) < now() - interval '3 days' as old from assay.mails
      where next_at <= now() and failed_at is null order by next_at, id limit 1 for update skip locked`.execute(trx);
    const [mail] = rows;
    if (!mail) return false;
    try {
      const message = await compose(mail);
      if (message) await transport.send(message, AbortSignal.any([cut, AbortSignal.timeout(limit)]));
    } catch (error) {
      if (cut.aborted) return false;
      const raw = (error as Error).message;
      log.warn(
        `A mail (${mail.occasion}) could not be sent${mail.old ? ' for three days and is given up' : ''}: ${raw}`,
      );
      // A mail that is given up stays visible, but out of the way of servers of the previous version.
      const next = mail.old ? sql`'9999-12-31'` : sql`now() + make_interval(secs => ${pauseAfter(mail.attempts + 1)})`;
      await sql`update assay.mails set attempts = attempts + 1, last_error = ${raw}, reason = ${reasonOf(error)},
        next_at = ${next}, failed_at = ${mail.old ? sql`now()` : null} where id = ${mail.id}`.execute(trx);
      return true;
    }
    await sql`delete from assay.mails where id = ${mail.id}`.execute(trx);
    return true;
  });
}

/** Milliseconds until the next mail is due, or until the next check. */
async function untilNext({ database }: Program): Promise<number> {
  const { rows } = await sql<{ wait: number | null }>`
    select extract(epoch from min(next_at) - now())::float8 * 1000 as wait from assay.mails
    where next_at > now() and failed_at is null`.execute(database.kysely);
  return Math.min(Math.max(rows[0]?.wait ?? lookEvery, 100), lookEvery);
}
