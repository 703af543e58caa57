import { sql } from 'kysely';
import type { Queries, Transaction } from '../../database/database';
import { activeStatus } from './user-status';

/**
 * Stores that a user has confirmed their current address.
 *
 * @example await storeConfirmedAddress(trx, owner.id);
 */
export async function storeConfirmedAddress(trx: Transaction, userId: number): Promise<void> {
  await sql`insert into assay.confirmed_addresses (user_id, email)
    select id, lower(email) from users where id = ${userId}
    on conflict (user_id) do update set email = excluded.email, confirmed_at = now()`.execute(trx);
}

/** Whether a user has confirmed the address that they have now. */
export async function hasConfirmedAddress(queries: Queries, userId: number): Promise<boolean> {
  const { rows } = await sql`select 1 from users u join assay.confirmed_addresses c on c.user_id = u.id
    and c.email = lower(u.email) where u.id = ${userId}`.execute(queries);
  return rows.length > 0;
}

/**
 * Whether another user has confirmed an address, which then belongs only to that account. Waits for a concurrent
 * confirmation of the same address, so that only one of two succeeds.
 */
export async function isConfirmedByAnother(trx: Transaction, userId: number, email: string): Promise<boolean> {
  const address = email.toLowerCase();
  await sql`select pg_advisory_xact_lock(hashtextextended(${`address ${address}`}, 0))`.execute(trx);
  return (await confirmedOwnerOf(trx, address, userId)) !== undefined;
}

/** The user, other than one, who has confirmed an address and has it still. */
export async function confirmedOwnerOf(
  queries: Queries,
  email: string,
  ignoredUserId: number,
): Promise<number | undefined> {
  const { rows } = await sql<{ id: number }>`select u.id from users u join assay.confirmed_addresses c
    on c.user_id = u.id and c.email = lower(u.email)
    where lower(u.email) = ${email.toLowerCase()} and u.deleted_at is null and u.id <> ${ignoredUserId} limit 1`.execute(
    queries,
  );
  return rows[0]?.id;
}

/** Which of these addresses belong to active users of a company (null: of the installation) and are confirmed. */
export async function filterConfirmedAddresses(
  queries: Queries,
  addresses: readonly string[],
  site: number | null,
): Promise<Set<string>> {
  if (addresses.length === 0) return new Set();
  const lowerCaseAddresses = addresses.map((address) => address.toLowerCase());
  const { rows } = await sql<{ email: string }>`select lower(u.email) as email from users u
    join assay.confirmed_addresses c on c.user_id = u.id and c.email = lower(u.email)
    where lower(u.email) = any(${lowerCaseAddresses}::text[]) and u.site_id is not distinct from ${site}::bigint
      and u.status_id = ${activeStatus} and u.deleted_at is null`.execute(queries);
  return new Set(rows.map(({ email }) => email));
}

/** Whether one of a company's owners has. */
export async function hasConfirmedOwner(queries: Queries, site: number): Promise<boolean> {
  const { rows } = await sql`select 1 from users u join roles r on r.id = u.role_id and r.level = 2
    join assay.confirmed_addresses c on c.user_id = u.id and c.email = lower(u.email)
    where u.site_id = ${site} and u.deleted_at is null limit 1`.execute(queries);
  return rows.length > 0;
}
