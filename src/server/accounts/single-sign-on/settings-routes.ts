import { Level } from '../../../engine/definitions/level';
import { typedApi } from '../../routing/define-call';
import type { FastifyInstance } from 'fastify';
import { sql } from 'kysely';
import { Conflict, Invalid } from '../../errors/errors';
import type { Program } from '../../program';
import { clearAccessCache } from '../session/access-cache';
import { newToken } from '../session/tokens';
import { isDomain } from '../../settings/single-sign-on';
import { singleSignOnCalls } from './calls';
import { providerOfCompany } from './providers';
import {
  companyDomains,
  deleteDomain,
  deleteIdentities,
  deleteProvider,
  addDomain,
  verifyDomain,
  storeLocalDisabled,
  storeProvider,
} from './stored-settings';
import { endLocalSignIns } from './required-provider';
import { itemAt } from '../../../engine/values/lookups';
import { CompanySettings, toDomainResponse } from './company-settings';

const mostDomains = 50;

/**
 * `single-sign-on`: the provider and the domains of a company, for its owners; with `site_id` for administrators of the
 * installation, who can also verify a domain and allow passwords again. Everything except reading requires a recent
 * proof of identity.
 */
export function registerSingleSignOnSettings(app: FastifyInstance, program: Program): void {
  const calls = typedApi(app);
  const { database } = program;
  const settings = new CompanySettings(program);

  calls.get('/single-sign-on', singleSignOnCalls.read, async (request) => ({
    data: await settings.describe(await settings.companyOf(request)),
  }));

  calls.put('/single-sign-on', singleSignOnCalls.save, async (request) => {
    const company = await settings.changeableCompanyOf(request);
    const form = request.body;
    const previousProvider = await providerOfCompany(database.kysely, company.id);
    const issuer = settings.issuerOf(form.issuer);
    const providerValues = await settings.valuesToStore(company, { ...form, issuer }, previousProvider);
    await settings.assertResponds(issuer, form);
    return settings.change(
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
        await settings.assertAllowedRole(trx, company, providerValues.new_people_role, previousProvider);
        await storeProvider(trx, company.id, providerValues, providerValues.connects);
      },
    );
  });

  calls.delete('/single-sign-on', singleSignOnCalls.remove, async (request) => {
    const company = await settings.changeableCompanyOf(request);
    const previousProvider = await settings.connectedProviderOf(company);
    return settings.change(company, { change: 'removed', issuer: previousProvider.issuer }, (trx) =>
      deleteProvider(trx, company.id, { domains: false }),
    );
  });

  calls.post('/single-sign-on/forget', singleSignOnCalls.forget, async (request) => {
    const company = await settings.changeableCompanyOf(request);
    const { id } = await settings.connectedProviderOf(company);
    const { email } = request.body;
    return settings.change(company, { change: 'identities forgotten', ...(email && { email }) }, async (trx) => {
      const removedIdentities = await deleteIdentities(trx, id, email);
      if (email && removedIdentities === 0)
        throw new Invalid({ email: `Nobody with the address ${email} has signed in through the provider.` });
    });
  });

  calls.put('/single-sign-on/local-sign-in', singleSignOnCalls.close, async (request) => {
    const company = await settings.changeableCompanyOf(request);
    const { closed: localDisabled } = request.body;
    const provider = await settings.connectedProviderOf(company);
    if (localDisabled) await settings.assertNotLockedOut(company, provider);
    return settings.change(
      company,
      { change: localDisabled ? 'local sign-in closed' : 'local sign-in opened' },
      async (trx) => {
        await storeLocalDisabled(trx, company.id, localDisabled);
        if (localDisabled) await endLocalSignIns(trx, provider);
        await clearAccessCache(database, trx);
      },
    );
  });

  calls.post('/single-sign-on/domains', singleSignOnCalls.addDomain, async (request, reply) => {
    const company = await settings.changeableCompanyOf(request);
    const domain = request.body.domain.toLowerCase().replace(/^@/, '');
    if (!isDomain(domain))
      throw new Invalid({ domain: 'Domain must be the part of an email address after the @, such as example.com.' });
    if ((await companyDomains(database.kysely, company.id)).length >= mostDomains)
      throw new Conflict(`A company can have at most ${mostDomains} domains.`);
    void reply.code(201);
    return settings.change(company, { change: 'domain named', domain }, async (trx) => {
      if (!(await addDomain(trx, company.id, domain, newToken())))
        throw new Invalid({ domain: `${domain} is already in the list.` });
    });
  });

  calls.post('/single-sign-on/domains/:id/check', singleSignOnCalls.checkDomain, async (request) => {
    const company = await settings.changeableCompanyOf(request);
    const domain = await settings.domainOfId(company, request.params.id);
    const verifier = company.actor.level === Level.Installation ? 'administrator' : 'dns';
    if (verifier === 'dns') await settings.assertOwnDomain(company, domain);
    return settings.change(company, { change: 'domain proved', domain: domain.domain, by: verifier }, async (trx) => {
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
    const company = await settings.changeableCompanyOf(request);
    const { id, domain } = await settings.domainOfId(company, request.params.id);
    return settings.change(company, { change: 'domain removed', domain }, (trx) => deleteDomain(trx, company.id, id));
  });

  calls.get('/single-sign-on/companies', singleSignOnCalls.companies, async () => {
    const { rows } = await sql<{ id: number; name: string; provider: string | null; local_closed: boolean }>`
      select s.id, s.name, p.name as provider, coalesce(p.local_closed, false) as local_closed
      from sites s left join assay.identity_providers p on p.site_id = s.id
      where p.id is not null or exists (select 1 from assay.identity_domains d where d.site_id = s.id)
      order by s.name, s.id limit 500`.execute(database.kysely);
    const domainsByRow = await Promise.all(rows.map(({ id }) => companyDomains(database.kysely, id)));
    return { data: rows.map((row, index) => ({ ...row, domains: itemAt(domainsByRow, index).map(toDomainResponse) })) };
  });
}
