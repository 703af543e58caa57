import { sql } from 'kysely';
import type { Queries, Transaction } from '../database/database';

/** Keeps that a user reads the mail of the address that they have at this moment. */
export async function confirmAddress(trx: Transaction, userId: number): Promise<void> {
  await sql`insert into assay.confirmed_addresses (user_id, email)
    select id, lower(email) from users where id = ${userId}
    on conflict (user_id) do update set email = excluded.email, confirmed_at = now()`.execute(trx);
}

/** Whether a user has confirmed the address that they have now. */
export async function hasConfirmed(queries: Queries, userId: number): Promise<boolean> {
  const { rows } = await sql`select 1 from users u join assay.confirmed_addresses c on c.user_id = u.id
    and c.email = lower(u.email) where u.id = ${userId}`.execute(queries);
  return rows.length > 0;
}

/** Whether one of a company's owners has. */
export async function companyIsConfirmed(queries: Queries, site: number): Promise<boolean> {
  const { rows } = await sql`select 1 from users u join roles r on r.id = u.role_id and r.level = 2
    join assay.confirmed_addresses c on c.user_id = u.id and c.email = lower(u.email)
    where u.site_id = ${site} and u.deleted_at is null limit 1`.execute(queries);
  return rows.length > 0;
}
