import { Level } from '../../../engine/definitions/level';
import { typedApi } from '../../routing/define-call';
import type { FastifyInstance } from 'fastify';
import { sql } from 'kysely';
import type { Actor } from '../../../engine/access/actor';
import type { Transaction } from '../../database/database';
import { BadRequest, Conflict, Invalid, NotFound } from '../../errors/errors';
import { isUnsafeName } from '../../mail/safe-name';
import type { Program } from '../../program';
import { recoveryCodesLeft } from '../second-factor/recovery-codes';
import { secretBoxOf } from '../../secrets/secret-box';
import { recordSecurityEvent } from '../../security-log/security-log';
import { clearAccessCache } from '../session/access-cache';
import { countAttempt } from '../session/attempts';
import { accessOf } from '../session/authenticate';
import { assertRecentProof } from '../session/identity-proof';
import { newToken } from '../session/tokens';
import { isDomain } from '../../settings/single-sign-on';
import { singleSignOnCalls, type CompanyRequest, type ProviderForm } from './calls';
import { lookUpVerification, verificationRecord } from './domain-verification';
import { redirectUri } from './exchange';
import { toFailure, failureMessage } from './failures';
import { urlProblem } from './guarded-fetch';
import { hasSignedInThrough } from './identities';
import { discover } from './provider-configuration';
import { clientSecretContext, providerOfCompany, type Provider } from './providers';
import {
  countIdentities,
  companyDomains,
  deleteDomain,
  deleteIdentities,
  deleteProvider,
  addDomain,
  verifyDomain,
  storeLocalDisabled,
  storeProvider,
  type CompanyDomain,
} from './stored-settings';
import { missingGrant } from '../users/users';
import { endLocalSignIns, countUsersOfOtherDomains } from './required-provider';
import { isRoleForNewPeople } from './link-account';
import { itemAt } from '../../../engine/values/lookups';

/** A company whose single sign-on is managed. */
interface ManagedCompany {
  readonly actor: Actor;
  readonly id: number;
  readonly name: string;
}

const minute = 60_000;
const mostDomains = 50;
const wellKnown = '/.well-known/openid-configuration';

/**
 * `single-sign-on`: the provider and the domains of a company, for its owners; with `site_id` for administrators of the
 * installation, who can also verify a domain and allow passwords again. Everything except reading requires a recent
 * proof of identity.
 */
export function registerSingleSignOnSettings(app: FastifyInstance, program: Program): void {
  const calls = typedApi(app);
  const { database } = program;

  calls.get('/single-sign-on', singleSignOnCalls.read, async (request) => ({
    data: await describe(await companyOf(request)),
  }));

  calls.put('/single-sign-on', singleSignOnCalls.save, async (request) => {
    const company = await changeableCompanyOf(request);
    const form = request.body;
    const previousProvider = await providerOfCompany(database.kysely, company.id);
    const issuer = issuerOf(form.issuer);
    const providerValues = await keptOf(company, { ...form, issuer }, previousProvider);
    await mustAnswer(issuer, form);
    return change(
      company,
      {
        change: previousProvider ? 'changed' : 'connected',
        issuer,
        client_id: form.client_id,
        secret: providerValues.secretWords,
        trusts_second_factor: providerValues.trusts_second_factor,
        trusts_addresses: providerValues.trusts_addresses,
        new_people_role: providerValues.new_people_role,
      },
      async (trx) => {
        await mustBeRole(trx, company, providerValues.new_people_role, previousProvider);
        await storeProvider(trx, company.id, providerValues, providerValues.connects);
      },
    );
  });

  calls.delete('/single-sign-on', singleSignOnCalls.remove, async (request) => {
    const company = await changeableCompanyOf(request);
    const previousProvider = await mustHaveProvider(company);
    return change(company, { change: 'removed', issuer: previousProvider.issuer }, (trx) =>
      deleteProvider(trx, company.id, { domains: false }),
    );
  });

  calls.post('/single-sign-on/forget', singleSignOnCalls.forget, async (request) => {
    const company = await changeableCompanyOf(request);
    const { id } = await mustHaveProvider(company);
    const { email } = request.body;
    return change(company, { change: 'identities forgotten', ...(email && { email }) }, async (trx) => {
      const removedIdentities = await deleteIdentities(trx, id, email);
      if (email && removedIdentities === 0)
        throw new Invalid({ email: `Nobody with the address ${email} has signed in through the provider.` });
    });
  });

  calls.put('/single-sign-on/local-sign-in', singleSignOnCalls.close, async (request) => {
    const company = await changeableCompanyOf(request);
    const { closed: localDisabled } = request.body;
    const provider = await mustHaveProvider(company);
    if (localDisabled) await mustNotLockOut(company, provider);
    return change(company, { change: localDisabled ? 'local sign-in closed' : 'local sign-in opened' }, async (trx) => {
      await storeLocalDisabled(trx, company.id, localDisabled);
      if (localDisabled) await endLocalSignIns(trx, provider);
      await clearAccessCache(database, trx);
    });
  });

  calls.post('/single-sign-on/domains', singleSignOnCalls.addDomain, async (request, reply) => {
    const company = await changeableCompanyOf(request);
    const domain = request.body.domain.toLowerCase().replace(/^@/, '');
    if (!isDomain(domain))
      throw new Invalid({ domain: 'Domain must be the part of an email address after the @, such as example.com.' });
    if ((await companyDomains(database.kysely, company.id)).length >= mostDomains)
      throw new Conflict(`A company can have at most ${mostDomains} domains.`);
    void reply.code(201);
    return change(company, { change: 'domain named', domain }, async (trx) => {
      if (!(await addDomain(trx, company.id, domain, newToken())))
        throw new Invalid({ domain: `${domain} is already in the list.` });
    });
  });

  calls.post('/single-sign-on/domains/:id/check', singleSignOnCalls.checkDomain, async (request) => {
    const company = await changeableCompanyOf(request);
    const domain = await domainOfId(company, request.params.id);
    const verifier = company.actor.level === Level.Installation ? 'administrator' : 'dns';
    if (verifier === 'dns') await mustBeProved(company, domain);
    return change(company, { change: 'domain proved', domain: domain.domain, by: verifier }, async (trx) => {
      if (!(await verifyDomain(trx, domain.id, verifier)))
        throw new Conflict(
          `Another company has already verified ${domain.domain}. Ask the administrator of this installation.`,
        );
      const provider = await providerOfCompany(trx, company.id);
      if (!provider?.local_closed) return;
      await endLocalSignIns(trx, provider);
      await clearAccessCache(database, trx);
    });
  });

  calls.delete('/single-sign-on/domains/:id', singleSignOnCalls.removeDomain, async (request) => {
    const company = await changeableCompanyOf(request);
    const { id, domain } = await domainOfId(company, request.params.id);
    return change(company, { change: 'domain removed', domain }, (trx) => deleteDomain(trx, company.id, id));
  });

  calls.get('/single-sign-on/companies', singleSignOnCalls.companies, async () => {
    const { rows } = await sql<{ id: number; name: string; provider: string | null; local_closed: boolean }>`
      select s.id, s.name, p.name as provider, coalesce(p.local_closed, false) as local_closed
      from sites s left join assay.identity_providers p on p.site_id = s.id
      where p.id is not null or exists (select 1 from assay.identity_domains d where d.site_id = s.id)
      order by s.name, s.id limit 500`.execute(database.kysely);
    const domainsByRow = await Promise.all(rows.map(({ id }) => companyDomains(database.kysely, id)));
    return { data: rows.map((row, index) => ({ ...row, domains: itemAt(domainsByRow, index).map(toResponse) })) };
  });

  /** The company of a request: the caller's own, or any for administrators of the installation. */
  async function companyOf(request: CompanyRequest): Promise<ManagedCompany> {
    const { actor } = await accessOf(program, request);
    const { site_id } = request.query;
    const id = actor.level === Level.Installation ? site_id : actor.site_id;
    if (id === undefined || id === null) throw new BadRequest('site_id must be the id of a company.');
    if (actor.level !== Level.Installation && site_id !== undefined && site_id !== id) throw new NotFound();
    const { rows } = await sql<{ name: string }>`select name from sites where id = ${id}`.execute(database.kysely);
    if (!rows[0]) throw new NotFound();
    return { actor, id, name: rows[0].name };
  }

  async function changeableCompanyOf(request: CompanyRequest): Promise<ManagedCompany> {
    const company = await companyOf(request);
    assertRecentProof(company.actor);
    return company;
  }

  /** Stores a change with its entry in the security log, and returns the new settings. */
  async function change(
    company: ManagedCompany,
    detail: Record<string, unknown>,
    store: (trx: Transaction) => Promise<unknown>,
  ) {
    await database.transaction(async (trx) => {
      await sql`select pg_advisory_xact_lock(hashtextextended(${`single sign-on of ${company.id}`}, 0))`.execute(trx);
      await store(trx);
      await recordSecurityEvent(
        program,
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
    return { data: await describe(company) };
  }

  async function describe({ id, name, actor }: ManagedCompany) {
    const { kysely } = database;
    const provider = await providerOfCompany(kysely, id);
    const domains = await companyDomains(kysely, id);
    const verifiedDomains = domains.filter(({ proven_at }) => proven_at !== null).map(({ domain }) => domain);
    const { rows: choices } = await sql<{ id: number; role_name: string }>`select id, role_name from roles
      where level > 2 and (site_id is null or site_id = ${id}) order by level, role_name`.execute(kysely);
    return {
      company: { id, name },
      redirect_uri: redirectUri(program),
      provider: provider ? await shownProvider(provider) : null,
      domains: domains.map(toResponse),
      joined: provider ? await countIdentities(kysely, provider.id) : 0,
      elsewhere: await countUsersOfOtherDomains(kysely, id, verifiedDomains),
      may_close: provider !== undefined && (await hasSignedInThrough(kysely, provider, actor.id)),
      recovery_codes_left: await recoveryCodesLeft(kysely, actor.id),
      choices,
    };
  }

  async function shownProvider({
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

  async function mustHaveProvider({ id }: ManagedCompany): Promise<Provider> {
    const provider = await providerOfCompany(database.kysely, id);
    if (!provider) throw new NotFound('No provider is connected.');
    return provider;
  }

  async function domainOfId({ id }: ManagedCompany, domainId: number): Promise<CompanyDomain> {
    const domain = (await companyDomains(database.kysely, id)).find((candidate) => candidate.id === domainId);
    if (!domain) throw new NotFound();
    return domain;
  }

  /** The issuer without the well-known path. Throws Invalid for a URL that must not be called. */
  function issuerOf(text: string): string {
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
      program.settings.singleSignOn.allowPrivateIssuers,
    );
    if (fault) throw new Invalid({ issuer: fault });
    return issuer;
  }

  /** The values to store. The stored secret is never used for another issuer than the one it was entered for. */
  async function keptOf({ id }: ManagedCompany, form: ProviderForm, previousProvider: Provider | undefined) {
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
      ? (await secretBoxOf(program.settings)).encrypt(secret, clientSecretContext(id))
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
  async function mustAnswer(issuer: string, { client_id, name }: ProviderForm): Promise<void> {
    try {
      await discover(program, { id: -1, issuer, client_id }, undefined);
    } catch (error) {
      throw new Invalid({ issuer: failureMessage(toFailure(error, { name })) });
    }
  }

  /** Users cannot give permissions to others that they don't have themselves. A previously chosen role can stay. */
  async function mustBeRole(
    trx: Transaction,
    { id, actor }: ManagedCompany,
    role: number | null,
    previousProvider?: Provider,
  ) {
    if (role === null || role === previousProvider?.new_people_role) return;
    if (!(await isRoleForNewPeople(trx, id, role)))
      throw new Invalid({ new_people_role: 'Choose one of the roles below the owner.' });
    const missingPermission = await missingGrant(program, trx, actor, role);
    if (missingPermission)
      throw new Invalid({ new_people_role: `This role grants ${missingPermission}, which you don't have yourself.` });
  }

  /** Only a user who has signed in through the provider can turn passwords off. */
  async function mustNotLockOut({ actor }: ManagedCompany, provider: Provider): Promise<void> {
    if (provider.domains.length === 0)
      throw new Conflict('Verify a domain first: passwords are turned off for addresses of your domains.');
    if (await hasSignedInThrough(database.kysely, provider, actor.id)) return;
    throw new Conflict(`Sign in through ${provider.name} yourself first, so that you don't lock yourself out.`);
  }

  async function mustBeProved({ id }: ManagedCompany, { domain, token }: CompanyDomain): Promise<void> {
    await countAttempt(database, [{ key: `domain proof ${id}`, times: 60, within: 60 * minute }]);
    const { name, value } = verificationRecord(domain, token);
    const verification = await lookUpVerification(program, domain, token);
    const words = {
      missing: `There is no TXT record named ${name} yet. New records take minutes, sometimes hours, to appear.`,
      other: `The TXT record named ${name} has another value. It must be ${value}.`,
      silent: `The name servers of ${domain} do not answer. Please try again later.`,
    };
    if (verification !== 'found') throw new Conflict(words[verification]);
  }
}

function toResponse({ token, ...rest }: CompanyDomain) {
  return { ...rest, record: verificationRecord(rest.domain, token) };
}
