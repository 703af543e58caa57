import { Level } from '../../../engine/definitions/level';
import { sql } from 'kysely';
import type { Actor } from '../../../engine/access/actor';
import type { Transaction } from '../../database/database';
import { BadRequest, Conflict, Invalid, NotFound } from '../../errors/errors';
import { isUnsafeName } from '../../mail/safe-name';
import type { Program } from '../../program';
import { recoveryCodesLeft } from '../second-factor/recovery-codes';
import { secretBoxOf } from '../../secrets/secret-box';
import { recordSecurityEvent } from '../../security-log/security-log';
import { countAttempt } from '../session/attempts';
import { accessOf } from '../session/authenticate';
import { assertRecentProof } from '../session/identity-proof';
import { type CompanyRequest, type ProviderForm } from './calls';
import { lookUpVerification, verificationRecord } from './domain-verification';
import { redirectUri } from './exchange';
import { toFailure, failureMessage } from './failures';
import { urlProblem } from './guarded-fetch';
import { hasSignedInThrough } from './identities';
import { discover } from './provider-configuration';
import { clientSecretContext, providerOfCompany, type Provider } from './providers';
import { countIdentities, companyDomains, type CompanyDomain } from './stored-settings';
import { missingGrant } from '../users/users';
import { countUsersOfOtherDomains } from './required-provider';
import { isRoleForNewPeople } from './link-account';

const minute = 60_000;
const wellKnown = '/.well-known/openid-configuration';

/** A company whose single sign-on is managed. */
interface ManagedCompany {
  readonly actor: Actor;
  readonly id: number;
  readonly name: string;
}

/** The single sign-on of companies: what may be read and changed, by whom, and what a change must satisfy. */
export class CompanySettings {
  constructor(private readonly program: Program) {}

  /** The company of a request: the caller's own, or any for administrators of the installation. */
  async companyOf(request: CompanyRequest): Promise<ManagedCompany> {
    const { actor } = await accessOf(this.program, request);
    const { site_id } = request.query;
    const id = actor.level === Level.Installation ? site_id : actor.site_id;
    if (id === undefined || id === null) throw new BadRequest('site_id must be the id of a company.');
    if (actor.level !== Level.Installation && site_id !== undefined && site_id !== id) throw new NotFound();
    const { rows } = await sql<{ name: string }>`select name from sites where id = ${id}`.execute(
      this.program.database.kysely,
    );
    if (!rows[0]) throw new NotFound();
    return { actor, id, name: rows[0].name };
  }

  /** As `companyOf`, for a change, which requires a recent proof of identity. */
  async changeableCompanyOf(request: CompanyRequest): Promise<ManagedCompany> {
    const company = await this.companyOf(request);
    assertRecentProof(company.actor);
    return company;
  }

  /** Stores a change with its entry in the security log, and returns the new settings. */
  async change(
    company: ManagedCompany,
    detail: Record<string, unknown>,
    store: (trx: Transaction) => Promise<unknown>,
  ) {
    await this.program.database.transaction(async (trx) => {
      await sql`select pg_advisory_xact_lock(hashtextextended(${`single sign-on of ${company.id}`}, 0))`.execute(trx);
      await store(trx);
      await recordSecurityEvent(
        this.program,
        {
          event: 'single_sign_on_changed',
          actor: company.actor,
          site_id: company.id,
          resource: 'sites',
          record_id: company.id,
          subject: company.name,
          detail,
        },
        trx,
      );
    });
    return { data: await this.describe(company) };
  }

  async describe({ id, name, actor }: ManagedCompany) {
    const { kysely } = this.program.database;
    const provider = await providerOfCompany(kysely, id);
    const domains = await companyDomains(kysely, id);
    const verifiedDomains = domains.filter(({ proven_at }) => proven_at !== null).map(({ domain }) => domain);
    const { rows: choices } = await sql<{ id: number; role_name: string }>`select id, role_name from roles
      where level > 2 and (site_id is null or site_id = ${id}) order by level, role_name`.execute(kysely);
    return {
      company: { id, name },
      redirect_uri: redirectUri(this.program),
      provider: provider ? toProviderResponse(provider) : null,
      domains: domains.map(toDomainResponse),
      joined: provider ? await countIdentities(kysely, provider.id) : 0,
      elsewhere: await countUsersOfOtherDomains(kysely, id, verifiedDomains),
      may_close: provider !== undefined && (await hasSignedInThrough(kysely, provider, actor.id)),
      recovery_codes_left: await recoveryCodesLeft(kysely, actor.id),
      choices,
    };
  }

  /** Throws NotFound if no provider is connected. */
  async connectedProviderOf({ id }: ManagedCompany): Promise<Provider> {
    const provider = await providerOfCompany(this.program.database.kysely, id);
    if (!provider) throw new NotFound('No provider is connected.');
    return provider;
  }

  /** Throws NotFound. */
  async domainOfId({ id }: ManagedCompany, domainId: number): Promise<CompanyDomain> {
    const domain = (await companyDomains(this.program.database.kysely, id)).find(
      (candidate) => candidate.id === domainId,
    );
    if (!domain) throw new NotFound();
    return domain;
  }

  /** The issuer without the well-known path. Throws Invalid for a URL that must not be called. */
  issuerOf(text: string): string {
    const trimmedText = text.trim();
    const issuer = trimmedText.endsWith(wellKnown) ? trimmedText.slice(0, -wellKnown.length) : trimmedText;
    const url = URL.canParse(issuer) ? new URL(issuer) : undefined;
    if (!url || url.username || url.password || url.search || url.hash) {
      throw new Invalid({
        issuer: 'Issuer must be a URL without user, query or #, such as https://login.example.com/realms/main.',
      });
    }
    const fault = urlProblem(
      url,
      url.hostname.replace(/^\[|\]$/g, ''),
      this.program.settings.singleSignOn.allowPrivateIssuers,
    );
    if (fault) throw new Invalid({ issuer: fault });
    return issuer;
  }

  /** The values to store. The stored secret is never used for another issuer than the one it was entered for. */
  async valuesToStore({ id }: ManagedCompany, form: ProviderForm, previousProvider: Provider | undefined) {
    const { name, issuer, client_id, client_secret: secret } = form;
    if (isUnsafeName(name)) throw new Invalid({ name: 'Name must not contain links or email addresses.' });
    const isOther =
      previousProvider !== undefined &&
      (previousProvider.issuer !== issuer || previousProvider.client_id !== client_id);
    if (previousProvider?.local_closed && isOther)
      throw new Conflict('Allow passwords first: nobody has signed in through the new provider yet.');
    if (isOther && previousProvider.sealed_secret && secret === undefined)
      throw new Invalid({
        client_secret: 'Enter the secret again: the stored one belongs to another issuer or client ID.',
      });
    const encryptedSecret = secret
      ? (await secretBoxOf(this.program.settings)).encrypt(secret, clientSecretContext(id))
      : null;
    return {
      name: name.trim(),
      issuer,
      client_id,
      sealed_secret: secret === undefined ? (previousProvider?.sealed_secret ?? null) : encryptedSecret,
      trusts_second_factor: form.trusts_second_factor ?? false,
      trusts_addresses: form.trusts_addresses ?? false,
      new_people_role: form.new_people_role ?? null,
      connects: isOther || !previousProvider,
      secretWords: secret === undefined ? 'kept' : secret ? 'set' : 'none',
    };
  }

  /** Throws Invalid if the issuer does not respond like an identity provider. */
  async assertResponds(issuer: string, { client_id, name }: ProviderForm): Promise<void> {
    try {
      await discover(this.program, { id: -1, issuer, client_id }, undefined);
    } catch (error) {
      throw new Invalid({ issuer: failureMessage(toFailure(error, { name })) });
    }
  }

  /** Users cannot give permissions to others that they don't have themselves. A previously chosen role can stay. */
  async assertAllowedRole(
    trx: Transaction,
    { id, actor }: ManagedCompany,
    role: number | null,
    previousProvider?: Provider,
  ) {
    if (role === null || role === previousProvider?.new_people_role) return;
    if (!(await isRoleForNewPeople(trx, id, role)))
      throw new Invalid({ new_people_role: 'Choose one of the roles below the owner.' });
    const missingPermission = await missingGrant(this.program, trx, actor, role);
    if (missingPermission)
      throw new Invalid({ new_people_role: `This role grants ${missingPermission}, which you don't have yourself.` });
  }

  /** Only a user who has signed in through the provider can turn passwords off. */
  async assertNotLockedOut({ actor }: ManagedCompany, provider: Provider): Promise<void> {
    if (provider.domains.length === 0)
      throw new Conflict('Verify a domain first: passwords are turned off for addresses of your domains.');
    if (await hasSignedInThrough(this.program.database.kysely, provider, actor.id)) return;
    throw new Conflict(`Sign in through ${provider.name} yourself first, so that you don't lock yourself out.`);
  }

  /** Throws Conflict unless the name servers of a domain prove that it is the company's. */
  async assertOwnDomain({ id }: ManagedCompany, { domain, token }: CompanyDomain): Promise<void> {
    await countAttempt(this.program.database, [{ key: `domain proof ${id}`, times: 60, within: 60 * minute }]);
    const { name, value } = verificationRecord(domain, token);
    const verification = await lookUpVerification(this.program, domain, token);
    const words = {
      missing: `There is no TXT record named ${name} yet. New records take minutes, sometimes hours, to appear.`,
      other: `The TXT record named ${name} has another value. It must be ${value}.`,
      silent: `The name servers of ${domain} do not answer. Please try again later.`,
    };
    if (verification !== 'found') throw new Conflict(words[verification]);
  }
}

function toProviderResponse({
  name,
  issuer,
  client_id,
  sealed_secret,
  trusts_second_factor,
  trusts_addresses,
  new_people_role,
  local_closed,
}: Provider) {
  return {
    name,
    issuer,
    client_id,
    has_secret: sealed_secret !== null,
    trusts_second_factor,
    trusts_addresses,
    new_people_role,
    local_closed,
  };
}

export function toDomainResponse({ token, ...rest }: CompanyDomain) {
  return { ...rest, record: verificationRecord(rest.domain, token) };
}
