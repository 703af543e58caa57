import { sql } from 'kysely';
import type { Queries } from '../database/database';
import type { Program } from '../program';
import { secretBoxOf } from '../secrets/secret-box';
import type { Settings } from '../settings/settings';

/** The id of the installation's own provider. */
export const ofInstallation = 0;

/** An OpenID Connect provider: of the installation, or of one company. */
export interface Provider {
  readonly id: number;
  /** The company; null: of the installation. */
  readonly site_id: number | null;
  readonly name: string;
  readonly issuer: string;
  readonly client_id: string;
  /** Sealed; null without one. */
  readonly sealed_secret: Buffer | null;
  /** Whose addresses it may vouch for; `*`: any. Of a company: those that it has proved to be its own. */
  readonly domains: readonly string[] | '*';
  /** Whether its word that a second factor was used is enough. */
  readonly trusts_second_factor: boolean;
  /** The role of people who sign in for the first time; null: they are refused. */
  readonly new_people_role: number | null;
  /** Whether people with addresses of its domains sign in in no other way. */
  readonly local_closed: boolean;
  /** Since when it is connected as it is now. */
  readonly connected_at: string;
}

/** The installation's provider; undefined where the settings name none. */
export function installationProvider({ singleSignOn }: Pick<Settings, 'singleSignOn'>): Provider | undefined {
  const { provider, localClosed } = singleSignOn;
  if (!provider) return undefined;
  return {
    id: ofInstallation,
    site_id: null,
    name: provider.name,
    issuer: provider.issuer,
    client_id: provider.clientId,
    sealed_secret: null,
    domains: provider.domains,
    trusts_second_factor: provider.trustsSecondFactor,
    new_people_role: null,
    local_closed: localClosed,
    connected_at: '',
  };
}

/** A provider by its id. */
export async function providerOfId({ database, settings }: Program, id: number): Promise<Provider | undefined> {
  if (id === ofInstallation) return installationProvider(settings);
  return firstOf(database.kysely, sql`p.id = ${id}`);
}

/** The provider of a company. */
export function providerOfCompany(queries: Queries, site: number): Promise<Provider | undefined> {
  return firstOf(queries, sql`p.site_id = ${site}`);
}

/** The provider of whichever company has proved that a domain is its own. */
export function providerOfDomain(queries: Queries, domain: string): Promise<Provider | undefined> {
  return firstOf(
    queries,
    sql`p.site_id = (select d.site_id from assay.identity_domains d where d.domain = ${domain} and d.proven_at is not null)`,
  );
}

/** Whether any company has a provider. */
export async function anyProvider(queries: Queries): Promise<boolean> {
  const { rows } = await sql`select 1 from assay.identity_providers limit 1`.execute(queries);
  return rows.length > 0;
}

/** The client's secret in plain; undefined without one. */
export async function secretOf(
  { settings }: Pick<Program, 'settings'>,
  provider: Provider,
): Promise<string | undefined> {
  if (provider.id === ofInstallation) return settings.singleSignOn.provider?.clientSecret;
  if (!provider.sealed_secret) return undefined;
  return (await secretBoxOf(settings)).open(provider.sealed_secret, placeOfSecret(provider.site_id!));
}

/** Where a company's client secret is sealed for. */
export function placeOfSecret(site: number): string {
  return `client secret of company ${site}`;
}

/** Whether a provider may vouch for an address. */
export function vouchesFor({ domains }: Provider, email: string): boolean {
  return domains === '*' || domains.includes(domainOf(email));
}

/** The domain of an address, in small letters; empty where there is none. */
export function domainOf(email: string): string {
  return email.includes('@')
    ? email
        .slice(email.lastIndexOf('@') + 1)
        .trim()
        .toLowerCase()
    : '';
}

async function firstOf(queries: Queries, which: ReturnType<typeof sql>): Promise<Provider | undefined> {
  const { rows } = await sql<Provider>`select p.id, p.site_id, p.name, p.issuer, p.client_id,
      p.client_secret as sealed_secret, p.trusts_second_factor, p.new_people_role, p.local_closed, p.connected_at,
      array(select d.domain from assay.identity_domains d where d.site_id = p.site_id and d.proven_at is not null
        order by d.domain) as domains
    from assay.identity_providers p where ${which}`.execute(queries);
  return rows[0];
}
