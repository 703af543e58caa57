import { sql } from 'kysely';
import type { Queries, Transaction } from '../../database/database';
import { onEngineTables } from '../../database/engine-tables';
import type { Program } from '../../program';
import { emailDomain, installationProvider, providerOfCompany, providerOfDomain, type Provider } from './providers';
import type { Account } from '../users/accounts';
import { activeStatus } from '../users/user-status';
import { oneRow } from '../../database/one-row';

/** The method of a sign-in through an identity provider: the only one left if others are turned off. */
export const singleSignOnMethod = 'single sign-on';

type Person = Pick<Account, 'site_id' | 'email'>;

/**
 * The provider that a user has to sign in through; undefined if passwords and passkeys are allowed. The company's
 * provider, if it turned off other methods for its domains; otherwise the installation's, if it did.
 */
export async function requiredProviderFor(
  { database, settings }: Pick<Program, 'database' | 'settings'>,
  { site_id, email }: Person,
  queries: Queries = database.kysely,
): Promise<Provider | undefined> {
  const provider = site_id === null ? undefined : await providerOfCompany(queries, site_id);
  if (provider?.domains.includes(emailDomain(email))) {
    if (provider.local_closed || settings.singleSignOn.passwordsDisabled) return provider;
  }
  return settings.singleSignOn.passwordsDisabled ? installationProvider(settings) : undefined;
}

/**
 * The provider for an address if other sign-in methods are turned off, based only on its domain: whether there is an
 * account does not matter. `site_id` is null if the whole installation is affected.
 */
export async function requiredProviderOfDomain(
  { database, settings }: Program,
  email: string,
): Promise<Provider | undefined> {
  const provider = await providerOfDomain(database.kysely, emailDomain(email));
  if (settings.singleSignOn.passwordsDisabled)
    return provider ? { ...provider, site_id: null } : installationProvider(settings);
  return provider?.local_closed ? provider : undefined;
}

/** Why a user cannot sign in with a password or a passkey. */
export function localSignInDisabledMessage({ name }: Pick<Provider, 'name'>): string {
  return `This address does not use passwords or passkeys: continue with ${name}.`;
}

/** Ends sessions, codes and second steps that users of a company's domains started without its provider. */
export async function endLocalSignIns(trx: Transaction, { site_id, domains }: Provider): Promise<void> {
  const people = sql<number>`(select id from users where site_id = ${site_id}
    and split_part(lower(email), '@', -1) = any(${domains as string[]}::text[]))`;
  const engineTables = onEngineTables(trx);
  await engineTables
    .deleteFrom('tokens')
    .where('user_id', 'in', people)
    .where('method', 'is distinct from', singleSignOnMethod)
    .execute();
  await engineTables
    .deleteFrom('codes')
    .where('user_id', 'in', people)
    .where('purpose', 'in', ['reset', 'setup'])
    .execute();
  await engineTables
    .deleteFrom('challenges')
    .where('user_id', 'in', people)
    .where('first_method', 'is distinct from', singleSignOnMethod)
    .execute();
}

/** How many active people of a company have addresses of other domains. */
export async function countUsersOfOtherDomains(
  queries: Queries,
  site: number,
  domains: readonly string[],
): Promise<number> {
  const row = oneRow(
    await sql<{ count: number }>`select count(*)::int as count from users u
    where u.site_id = ${site} and u.deleted_at is null and u.status_id = ${activeStatus}
      and split_part(lower(u.email), '@', -1) <> all(${domains as string[]}::text[])`.execute(queries),
  );
  return row.count;
}
