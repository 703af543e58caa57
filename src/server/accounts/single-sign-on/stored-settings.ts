import { sql } from 'kysely';
import type { Queries, Transaction } from '../../database/database';
import { onEngineTables } from '../../database/engine-tables';

/** An email domain that a company has added. */
export interface CompanyDomain {
  readonly id: number;
  readonly domain: string;
  /** The token in its TXT record. */
  readonly token: string;
  readonly proven_at: string | null;
  readonly proven_by: 'dns' | 'administrator' | null;
}

/** A company's provider as stored. */
export interface StoredProvider {
  readonly name: string;
  readonly issuer: string;
  readonly client_id: string;
  readonly sealed_secret: Buffer | null;
  readonly trusts_second_factor: boolean;
  readonly trusts_addresses: boolean;
  readonly new_people_role: number | null;
}

/** The domains that a company has added, verified or not. */
export async function companyDomains(queries: Queries, site: number): Promise<CompanyDomain[]> {
  const rows = await onEngineTables(queries)
    .selectFrom('identity_domains')
    .select(['id', 'domain', 'token', 'proven_at', 'proven_by'])
    .where('site_id', '=', site)
    .orderBy('domain')
    .execute();
  return rows as CompanyDomain[];
}

/** Adds a domain to a company. Returns false if it already has it. */
export async function addDomain(trx: Transaction, site: number, domain: string, token: string): Promise<boolean> {
  const insertedRow = await onEngineTables(trx)
    .insertInto('identity_domains')
    .values({ site_id: site, domain, token })
    .onConflict((conflict) => conflict.columns(['site_id', 'domain']).doNothing())
    .returning('id')
    .executeTakeFirst();
  return insertedRow !== undefined;
}

/** Marks a domain as verified. Returns false if another company has verified it. */
export async function verifyDomain(trx: Transaction, id: number, verifier: 'dns' | 'administrator'): Promise<boolean> {
  const domainRow = await onEngineTables(trx)
    .selectFrom('identity_domains')
    .select('domain')
    .where('id', '=', id)
    .executeTakeFirst();
  await sql`select pg_advisory_xact_lock(hashtextextended(${`domain ${domainRow?.domain}`}, 0))`.execute(trx);
  const { rows: verifiedRows } =
    await sql`update assay.identity_domains d set proven_at = now(), proven_by = ${verifier}
    where d.id = ${id} and not exists (select 1 from assay.identity_domains o
      where o.domain = d.domain and o.proven_at is not null and o.id <> d.id) returning 1`.execute(trx);
  return verifiedRows.length > 0;
}

/** Removes a domain of a company. Returns its name; undefined if there is none with this id. */
export async function deleteDomain(trx: Transaction, site: number, id: number): Promise<string | undefined> {
  const deleted = await onEngineTables(trx)
    .deleteFrom('identity_domains')
    .where('id', '=', id)
    .where('site_id', '=', site)
    .returning('domain')
    .executeTakeFirst();
  return deleted?.domain;
}

/** Connects a company's provider, or changes it. `connects`: its issuer or client has changed. */
export async function storeProvider(
  trx: Transaction,
  site: number,
  provider: StoredProvider,
  connects: boolean,
): Promise<void> {
  const { name, issuer, client_id, sealed_secret, trusts_second_factor, trusts_addresses, new_people_role } = provider;
  await sql`insert into assay.identity_providers (site_id, name, issuer, client_id, client_secret,
      trusts_second_factor, trusts_addresses, new_people_role, connected_at, changed_at)
    values (${site}, ${name}, ${issuer}, ${client_id}, ${sealed_secret}, ${trusts_second_factor}, ${trusts_addresses},
      ${new_people_role}, now(), now())
    on conflict (site_id) do update set name = excluded.name, issuer = excluded.issuer, client_id = excluded.client_id,
      client_secret = excluded.client_secret, trusts_second_factor = excluded.trusts_second_factor,
      trusts_addresses = excluded.trusts_addresses,
      new_people_role = excluded.new_people_role, changed_at = now(),
      connected_at = case when ${connects} then now() else identity_providers.connected_at end`.execute(trx);
}

/** Disables or enables passwords and passkeys for the domains of a company. */
export async function storeLocalDisabled(trx: Transaction, site: number, isDisabled: boolean): Promise<void> {
  await onEngineTables(trx)
    .updateTable('identity_providers')
    .set({ local_closed: isDisabled, changed_at: sql`now()` })
    .where('site_id', '=', site)
    .execute();
}

/** How many identities of a provider are linked to accounts. */
export async function countIdentities(queries: Queries, provider: number): Promise<number> {
  const { count } = await onEngineTables(queries)
    .selectFrom('identities')
    .select(({ fn }) => fn.countAll<number>().as('count'))
    .where('provider_id', '=', provider)
    .executeTakeFirstOrThrow();
  return count;
}

/**
 * Deletes the links between identities of a provider and accounts: all, or those of the accounts with an address. Returns
 * how many there were.
 */
export async function deleteIdentities(trx: Transaction, provider: number, email?: string): Promise<number> {
  const ofAddress = sql`user_id in (select u.id from public.users u where lower(u.email) = ${email?.toLowerCase()}::text)`;
  const { rows } = await sql`delete from assay.identities where provider_id = ${provider}
    and ${email === undefined ? sql`true` : ofAddress} returning user_id`.execute(trx);
  return rows.length;
}

/** Removes a company's provider with its linked identities; with `domains`, those too. */
export async function deleteProvider(trx: Transaction, site: number, { domains }: { domains: boolean }): Promise<void> {
  const engineTables = onEngineTables(trx);
  await engineTables
    .deleteFrom('identities')
    .where('provider_id', 'in', engineTables.selectFrom('identity_providers').select('id').where('site_id', '=', site))
    .execute();
  await engineTables.deleteFrom('identity_providers').where('site_id', '=', site).execute();
  if (domains) await engineTables.deleteFrom('identity_domains').where('site_id', '=', site).execute();
}
