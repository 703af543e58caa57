import { sql, type RawBuilder } from 'kysely';
import type { Queries, Transaction } from '../database/database';
import { firstOf } from '../../engine/values/lookups';

/** An unsent mail. Its content is not stored, so it cannot be shown. */
export interface OutboxMail {
  readonly id: number;
  readonly occasion: string;
  readonly name: string | null;
  /** Unmasked: mask it before it is shown. */
  readonly address: string | null;
  readonly site_id: number | null;
  readonly attempts: number;
  readonly reason: string | null;
  readonly created_at: string;
  readonly next_at: string;
  readonly failed_at: string | null;
}

/** A SQL source of mails `m` with the `name`, `address` and `site_id` of their recipients, provided by the product. */
export type RecipientSource = RawBuilder<unknown>;

/** A page of the outbox, failed mails first, and the total; of one company or of all. */
export async function listOutbox(
  queries: Queries,
  readers: RecipientSource,
  company: number | 'all',
  { from: offset, limit }: { from: number; limit: number },
): Promise<{ mails: OutboxMail[]; total: number }> {
  const condition = company === 'all' ? sql`true` : sql`r.site_id = ${company}`;
  const [{ rows: mails }, { rows: countRows }] = await Promise.all([
    sql<OutboxMail>`select m.id::float8 as id, m.occasion, r.name, r.address, r.site_id, m.attempts, m.reason,
      m.created_at, m.next_at, m.failed_at from ${readers} where ${condition}
      order by m.failed_at desc nulls last, m.id desc limit ${limit} offset ${offset}`.execute(queries),
    sql<{ n: number }>`select count(*)::integer as n from ${readers} where ${condition}`.execute(queries),
  ]);
  return { mails, total: firstOf(countRows).n };
}

/** The company of a mail; undefined if it was sent or does not exist. */
export async function companyOfMail(
  queries: Queries,
  readers: RecipientSource,
  id: number,
): Promise<number | null | undefined> {
  const { rows } = await sql<{ site_id: number | null }>`select r.site_id from ${readers} where m.id = ${id}`.execute(
    queries,
  );
  return rows[0]?.site_id;
}

/** Retries a mail now, and for three more days. Returns false if it does not exist or is being sent right now. */
export async function retryMail(trx: Transaction, id: number): Promise<boolean> {
  const { rows } = await sql`update assay.mails set next_at = now(), retried_at = now(), failed_at = null
    where id in (select id from assay.mails where id = ${id} for update skip locked) returning 1`.execute(trx);
  return rows.length > 0;
}

/** Deletes a mail from the outbox. Returns false if it does not exist or is being sent right now. */
export async function deleteMail(trx: Transaction, id: number): Promise<boolean> {
  const { rows } = await sql`delete from assay.mails
    where id in (select id from assay.mails where id = ${id} for update skip locked) returning 1`.execute(trx);
  return rows.length > 0;
}

/** Mails that have been due for so many seconds, those that wait longest first. */
export async function findDueMails(queries: Queries, lateSeconds: number, limit: number): Promise<{ mail: number }[]> {
  const { rows } = await sql<{ mail: number }>`select id::float8 as mail from assay.mails
    where next_at <= now() - make_interval(secs => ${lateSeconds}) and failed_at is null
    order by next_at, id limit ${limit}`.execute(queries);
  return rows;
}

/** Deletes mails that were given up so many days ago. */
export async function deleteOldMails(queries: Queries, days: number): Promise<void> {
  await sql`delete from assay.mails where failed_at < now() - make_interval(days => ${days})`.execute(queries);
}
