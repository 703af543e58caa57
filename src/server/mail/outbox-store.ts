import { sql, type RawBuilder } from 'kysely';
import type { Queries, Transaction } from '../database/database';

/** A mail that was not sent yet. Its words are not stored, so that there is nothing of them to show. */
export interface OutboxMail {
  readonly id: number;
  readonly occasion: string;
  readonly name: string | null;
  /** Whole: to be masked before it is shown. */
  readonly address: string | null;
  readonly site_id: number | null;
  readonly attempts: number;
  readonly reason: string | null;
  readonly created_at: string;
  readonly next_at: string;
  readonly failed_at: string | null;
}

/**
 * Where mails and their readers are: a source of `m` (the mails) and of `name`, `address` and `site_id`, given by whoever
 * knows who readers are.
 */
export type Readers = RawBuilder<unknown>;

/** A page of the outbox, what was given up first, and how many there are; of one company or of all. */
export async function listOutbox(
  queries: Queries,
  readers: Readers,
  company: number | 'all',
  { from, limit }: { from: number; limit: number },
): Promise<{ mails: OutboxMail[]; total: number }> {
  const where = company === 'all' ? sql`true` : sql`r.site_id = ${company}`;
  const [{ rows: mails }, { rows: counted }] = await Promise.all([
    sql<OutboxMail>`select m.id::float8 as id, m.occasion, r.name, r.address, r.site_id, m.attempts, m.reason,
      m.created_at, m.next_at, m.failed_at from ${readers} where ${where}
      order by m.failed_at desc nulls last, m.id desc limit ${limit} offset ${from}`.execute(queries),
    sql<{ n: number }>`select count(*)::integer as n from ${readers} where ${where}`.execute(queries),
  ]);
  return { mails, total: counted[0]!.n };
}

/** Whose a mail is; undefined where it was sent or is none. */
export async function companyOfMail(
  queries: Queries,
  readers: Readers,
  id: number,
): Promise<number | null | undefined> {
  const { rows } = await sql<{ site_id: number | null }>`select r.site_id from ${readers} where m.id = ${id}`.execute(
    queries,
  );
  return rows[0]?.site_id;
}

/** Has a mail be sent now, and for three more days. Answers whether it waits; one on its way at this moment does not. */
export async function retryMail(trx: Transaction, id: number): Promise<boolean> {
  const { rows } = await sql`update assay.mails set next_at = now(), retried_at = now(), failed_at = null
    where id in (select id from assay.mails where id = ${id} for update skip locked) returning 1`.execute(trx);
  return rows.length > 0;
}

/** Takes a mail out of the outbox. Answers whether it waited; one on its way at this moment does not. */
export async function discardMail(trx: Transaction, id: number): Promise<boolean> {
  const { rows } = await sql`delete from assay.mails
    where id in (select id from assay.mails where id = ${id} for update skip locked) returning 1`.execute(trx);
  return rows.length > 0;
}

/** Removes mails that were given up so many days ago. */
export async function dropOldMails(queries: Queries, days: number): Promise<void> {
  await sql`delete from assay.mails where failed_at < now() - make_interval(days => ${days})`.execute(queries);
}

/** How many mails wait, and how many were given up, for monitoring. */
export async function countMails(queries: Queries): Promise<{ waiting: number; failed: number }> {
  const { rows } = await sql<{ waiting: number; failed: number }>`
    select count(*) filter (where failed_at is null)::integer as waiting,
      count(*) filter (where failed_at is not null)::integer as failed from assay.mails`.execute(queries);
  return rows[0]!;
}
