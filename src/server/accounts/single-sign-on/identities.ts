import { sql } from 'kysely';
import type { Queries, Transaction } from '../../database/database';
import type { Program } from '../../program';
import type { Identity } from './exchange';
import { installationProvider, providerOfCompany, type Provider } from './providers';

/** Identifies a user at a provider permanently, even if the email address changes. */
type Subject = Pick<Identity, 'issuer' | 'subject'>;

/** The user linked to an identity, with the email address at that time; undefined if there is none. */
export async function userOfIdentity(
  queries: Queries,
  { id }: Provider,
  { issuer, subject }: Subject,
): Promise<{ user_id: number; email: string } | undefined> {
  const { rows } = await sql<{ user_id: number; email: string }>`select user_id, email from assay.identities
    where provider_id = ${id} and issuer = ${issuer} and subject = ${subject}`.execute(queries);
  return rows[0];
}

/** Whether a user is linked to another identity of the same provider. */
export async function hasOtherIdentity(
  queries: Queries,
  { id }: Provider,
  { issuer, subject }: Subject,
  user: number,
): Promise<boolean> {
  const { rows } = await sql`select 1 from assay.identities where user_id = ${user} and provider_id = ${id}
    and issuer = ${issuer} and subject <> ${subject}`.execute(queries);
  return rows.length > 0;
}

/** Links an identity to a user, or records that it was used again. */
export async function linkIdentity(
  trx: Transaction,
  { id }: Provider,
  { issuer, subject, email }: Identity,
  user: number,
): Promise<void> {
  await sql`insert into assay.identities (provider_id, issuer, subject, user_id, email)
    values (${id}, ${issuer}, ${subject}, ${user}, ${email})
    on conflict (provider_id, issuer, subject) do update set email = excluded.email, last_used_at = now()`.execute(trx);
}

/** The provider that can confirm a user's identity: one that they have signed in through. */
export async function providerOfUser(
  { database, settings }: Program,
  { id, site_id }: { readonly id: number; readonly site_id: number | null },
): Promise<Provider | undefined> {
  const { rows } = await sql<{ provider_id: number }>`select distinct provider_id from assay.identities
    where user_id = ${id}`.execute(database.kysely);
  const joined = new Set(rows.map(({ provider_id }) => provider_id));
  const ofCompany = site_id === null ? undefined : await providerOfCompany(database.kysely, site_id);
  return [ofCompany, installationProvider(settings)].find((one) => one && joined.has(one.id));
}

/** Whether a user has signed in through a provider since its current connection was set up. */
export async function hasSignedInThrough(queries: Queries, provider: Provider, user: number): Promise<boolean> {
  const { rows } = await sql`select 1 from assay.identities where provider_id = ${provider.id} and user_id = ${user}
    and last_used_at >= ${provider.connected_at}`.execute(queries);
  return rows.length > 0;
}
