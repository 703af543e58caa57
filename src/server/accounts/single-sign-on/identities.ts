import { sql } from 'kysely';
import type { Queries, Transaction } from '../../database/database';
import { onEngineTables } from '../../database/engine-tables';
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
  return onEngineTables(queries)
    .selectFrom('identities')
    .select(['user_id', 'email'])
    .where('provider_id', '=', id)
    .where('issuer', '=', issuer)
    .where('subject', '=', subject)
    .executeTakeFirst();
}

/** Whether a user is linked to another identity of the same provider. */
export async function hasOtherIdentity(
  queries: Queries,
  { id }: Provider,
  { issuer, subject }: Subject,
  user: number,
): Promise<boolean> {
  const identityRow = await onEngineTables(queries)
    .selectFrom('identities')
    .select('user_id')
    .where('user_id', '=', user)
    .where('provider_id', '=', id)
    .where('issuer', '=', issuer)
    .where('subject', '<>', subject)
    .executeTakeFirst();
  return identityRow !== undefined;
}

/** Links an identity to a user, or records that it was used again. */
export async function linkIdentity(
  trx: Transaction,
  { id }: Provider,
  { issuer, subject, email }: Identity,
  user: number,
): Promise<void> {
  await onEngineTables(trx)
    .insertInto('identities')
    .values({ provider_id: id, issuer, subject, user_id: user, email })
    .onConflict((conflict) =>
      conflict.columns(['provider_id', 'issuer', 'subject']).doUpdateSet(({ ref }) => ({
        email: ref('excluded.email'),
        user_id: ref('excluded.user_id'),
        last_used_at: sql`now()`,
      })),
    )
    .execute();
}

/** The provider that can confirm a user's identity: one that they have signed in through. */
export async function providerOfUser(
  { database, settings }: Program,
  { id, site_id }: { readonly id: number; readonly site_id: number | null },
): Promise<Provider | undefined> {
  const rows = await onEngineTables(database.kysely)
    .selectFrom('identities')
    .select('provider_id')
    .distinct()
    .where('user_id', '=', id)
    .execute();
  const linkedProviders = new Set(rows.map(({ provider_id }) => provider_id));
  const ofCompany = site_id === null ? undefined : await providerOfCompany(database.kysely, site_id);
  return [ofCompany, installationProvider(settings)].find((provider) => provider && linkedProviders.has(provider.id));
}

/** Whether a user has signed in through a provider since its current connection was set up. */
export async function hasSignedInThrough(queries: Queries, provider: Provider, user: number): Promise<boolean> {
  const identityRow = await onEngineTables(queries)
    .selectFrom('identities')
    .select('user_id')
    .where('provider_id', '=', provider.id)
    .where('user_id', '=', user)
    .where('last_used_at', '>=', provider.connected_at)
    .executeTakeFirst();
  return identityRow !== undefined;
}
