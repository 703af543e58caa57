import { sql } from 'kysely';
import type { Queries } from '../../database/database';
import { onEngineTables } from '../../database/engine-tables';
import type { Program } from '../../program';
import { secretBoxOf } from '../../secrets/secret-box';
import type { Settings } from '../../settings/settings';
import { requireValue } from '../../../engine/values/lookups';

/** The id of the installation's own provider. */
export const installationProviderId = 0;

/** An OpenID Connect provider, of the installation or of one company. */
export interface Provider {
  readonly id: number;
  /** The company; null: the installation. */
  readonly site_id: number | null;
  readonly name: string;
  readonly issuer: string;
  readonly client_id: string;
  /** Encrypted; null without one. */
  readonly sealed_secret: Buffer | null;
  /** The email domains that it is trusted for; `*`: any. Of a company: the domains that it has verified. */
  readonly domains: readonly string[] | '*';
  /** Whether a second factor confirmed by the provider is accepted. */
  readonly trusts_second_factor: boolean;
  /** Whether addresses of its domains count as verified where it does not say whether they are. */
  readonly trusts_addresses: boolean;
  /** The role of users who sign in for the first time; null: they are rejected. */
  readonly new_people_role: number | null;
  /** Whether users with email addresses of its domains can sign in only through it. */
  readonly local_closed: boolean;
  /** Since when it is connected with its current settings. */
  readonly connected_at: string;
}

/** The installation's provider; undefined if the settings have none. */
export function installationProvider({ singleSignOn }: Pick<Settings, 'singleSignOn'>): Provider | undefined {
  const { provider, passwordsDisabled } = singleSignOn;
  if (!provider) return undefined;
  return {
    id: installationProviderId,
    site_id: null,
    name: provider.name,
    issuer: provider.issuer,
    client_id: provider.clientId,
    sealed_secret: null,
    domains: provider.domains,
    trusts_second_factor: provider.trustsSecondFactor,
    trusts_addresses: provider.trustsAddresses,
    new_people_role: null,
    local_closed: passwordsDisabled,
    connected_at: '',
  };
}

/** A provider by its id. */
export async function providerOfId({ database, settings }: Program, id: number): Promise<Provider | undefined> {
  if (id === installationProviderId) return installationProvider(settings);
  return findProvider(database.kysely, sql`p.id = ${id}`);
}

/** The provider of a company. */
export function providerOfCompany(queries: Queries, site: number): Promise<Provider | undefined> {
  return findProvider(queries, sql`p.site_id = ${site}`);
}

/** The provider of the company that has verified a domain. */
export function providerOfDomain(queries: Queries, domain: string): Promise<Provider | undefined> {
  return findProvider(
    queries,
    sql`p.site_id = (select d.site_id from assay.identity_domains d where d.domain = ${domain} and d.proven_at is not null)`,
  );
}

/** Whether any company has a provider. */
export async function hasAnyProvider(queries: Queries): Promise<boolean> {
  const anyProvider = await onEngineTables(queries)
    .selectFrom('identity_providers')
    .select('id')
    .limit(1)
    .executeTakeFirst();
  return anyProvider !== undefined;
}

/** The decrypted client secret; undefined without one. */
export async function clientSecretOf(
  { settings }: Pick<Program, 'settings'>,
  provider: Provider,
): Promise<string | undefined> {
  if (provider.id === installationProviderId) return settings.singleSignOn.provider?.clientSecret;
  if (!provider.sealed_secret) return undefined;
  return (await secretBoxOf(settings)).decrypt(
    provider.sealed_secret,
    clientSecretContext(requireValue(provider.site_id, 'the company of a provider')),
  );
}

/** The encryption context of a company's client secret. */
export function clientSecretContext(site: number): string {
  return `client secret of company ${site}`;
}

/** Whether a provider is trusted for an email address. */
export function isTrustedFor({ domains }: Provider, email: string): boolean {
  return domains === '*' || domains.includes(emailDomain(email));
}

/** The domain of an email address in lower case; empty if there is none. */
export function emailDomain(email: string): string {
  return email.includes('@')
    ? email
        .slice(email.lastIndexOf('@') + 1)
        .trim()
        .toLowerCase()
    : '';
}

async function findProvider(queries: Queries, condition: ReturnType<typeof sql>): Promise<Provider | undefined> {
  const { rows } = await sql<Provider>`select p.id, p.site_id, p.name, p.issuer, p.client_id,
      p.client_secret as sealed_secret, p.trusts_second_factor, p.trusts_addresses, p.new_people_role, p.local_closed, p.connected_at,
      array(select d.domain from assay.identity_domains d where d.site_id = p.site_id and d.proven_at is not null
        order by d.domain) as domains
    from assay.identity_providers p where ${condition}`.execute(queries);
  return rows[0];
}
