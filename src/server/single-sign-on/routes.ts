import type { FastifyInstance } from 'fastify';
import { accountOfUser } from '../domain/accounts';
import { bySingleSignOn, closedDomain } from '../domain/single-sign-on/closed';
import { accountOfIdentity } from '../domain/single-sign-on/join';
import { Invalid, Unauthenticated } from '../errors/errors';
import type { Program } from '../program';
import { recordSecurityEvent } from '../security-log/security-log';
import { addressKey, proofLimits, takeAttempt, type Limit } from '../session/attempts';
import { accessOf } from '../session/authenticate';
import { finishSignIn } from '../session/finish-sign-in';
import { readForm } from '../session/forms';
import { proofLifetime } from '../session/proof';
import { keepProof } from '../session/proof-routes';
import { addressForm, backForm, calls } from './calls';
import { addressAtProvider, identityOf, type Identity, type WayBack } from './exchange';
import { Failed, wordsOf } from './failures';
import { beginFlow, takeFlow, type Flow, type Purpose } from './flows';
import { providerOfUser, userOfIdentity } from './identities';
import { clockDifference } from './issuers';
import {
  anyProvider,
  domainOf,
  installationProvider,
  providerOfDomain,
  providerOfId,
  vouchesFor,
  type Provider,
} from './providers';

const minute = 60_000;

/** A user who has returned from a provider. */
interface Returned {
  readonly flow: Flow;
  readonly provider: Provider;
  readonly identity: Identity;
}

/**
 * `POST login/ways`: the sign-in methods for an email address. `POST login/single-sign-on` sends a browser to a
 * provider, and `POST login/single-sign-on/finish` signs in the returning user. `POST me/proof/single-sign-on` and its
 * `finish` confirm the identity of a signed-in user in the same way.
 */
export function registerSingleSignOn(app: FastifyInstance, program: Program): void {
  const { database, settings } = program;

  app.post('/login/ways', calls.ways, async (request) => {
    const { email } = readForm<{ email?: string | null }>(addressForm, request.body);
    const installation = installationProvider(settings);
    const company = email ? await providerOfDomain(database.kysely, domainOf(email)) : undefined;
    const closed = email ? await closedDomain(program, email) : undefined;
    return {
      data: {
        single_sign_on: installation !== undefined || (await anyProvider(database.kysely)),
        installation: installation ? { name: installation.name } : null,
        company: company ? { name: company.name, domain: domainOf(email!), closed: closed !== undefined } : null,
        password: !settings.singleSignOn.localClosed && !closed,
      },
    };
  });

  app.post('/login/single-sign-on', calls.begin, async (request, reply) => {
    const { email } = readForm<{ email?: string | null }>(addressForm, request.body);
    const provider = await providerFor(email ?? undefined);
    if (!provider) return { status: false, message: noProvider(email) };
    await takeAttempt(database, beginLimits(request.ip));
    return answered(provider, async () => {
      const flow = await beginFlow(program, request, reply, provider, { purpose: 'sign-in' });
      const url = await addressAtProvider(program, provider, flow, { again: false, email: email ?? undefined });
      return { data: { url } };
    });
  });

  app.post('/login/single-sign-on/finish', calls.finish, async (request, reply) => {
    const back = readForm<WayBack>(backForm, request.body);
    const attempt = await takeAttempt(database, finishLimits(request.ip));
    return answered(undefined, async (found) => {
      const { provider, identity } = await returned(
        await takeFlow(program, request, back.state, 'sign-in'),
        back,
        found,
      );
      const account = await accountOfIdentity(program, provider, identity);
      await attempt.giveBack();
      const trusted = provider.trusts_second_factor && identity.multipleFactors;
      const answer = await finishSignIn(program, { request, reply }, account, {
        method: bySingleSignOn,
        secondStep: trusted ? 'done' : 'ask',
        provenAt: identity.authenticatedAt ?? null,
      });
      return 'second_factor' in answer ? { ...answer, email: account.email } : answer;
    });
  });

  app.post('/me/proof/single-sign-on', calls.beginProof, async (request, reply) => {
    const { actor, signInId } = await accessOf(program, request);
    const account = await accountOfUser(database.kysely, actor.id);
    if (!account) throw new Unauthenticated();
    const provider = await providerOfUser(program, account);
    if (!provider)
      throw new Invalid({
        single_sign_on: 'You have not signed in through a provider: confirm your identity with another method.',
      });
    await takeAttempt(database, proofLimits(actor.id));
    return proving(async () => {
      const purpose: Purpose = 'proof';
      const flow = await beginFlow(program, request, reply, provider, { purpose, signInId });
      return { data: { url: await addressAtProvider(program, provider, flow, { again: true, email: account.email }) } };
    });
  });

  app.post('/me/proof/single-sign-on/finish', calls.finishProof, async (request) => {
    const access = await accessOf(program, request);
    const back = readForm<WayBack>(backForm, request.body);
    const attempt = await takeAttempt(database, proofLimits(access.actor.id));
    return proving(async () => {
      const flow = await takeFlow(program, request, back.state, 'proof');
      if (flow.sign_in_id !== access.signInId) throw new Failed('other_browser');
      const { provider, identity } = await returned(flow, back);
      const owner = await userOfIdentity(database.kysely, provider, identity);
      if (owner?.user_id !== access.actor.id) throw new Failed('other_person', { name: provider.name });
      mustBeFresh(provider, flow, identity);
      await attempt.giveBack();
      await keepProof(program, access);
      return {
        status: true,
        message: `For ${proofLifetime / minute} minutes you may change credentials and permissions.`,
      };
    });
  });

  /** The provider of an email address: its company's, otherwise the installation's if it is trusted for the address. */
  async function providerFor(email: string | undefined): Promise<Provider | undefined> {
    const installation = installationProvider(settings);
    if (!email) return installation;
    const ofDomain = await providerOfDomain(database.kysely, domainOf(email));
    return ofDomain ?? (installation && vouchesFor(installation, email) ? installation : undefined);
  }

  /** The identity of a returning user, from the provider with its current settings. */
  async function returned(flow: Flow, back: WayBack, found?: (provider: Provider) => void): Promise<Returned> {
    const provider = await providerOfId(program, flow.provider_id);
    if (provider) found?.(provider);
    if (!provider || provider.issuer !== flow.issuer) throw new Failed('changed', { name: provider?.name });
    return { flow, provider, identity: await identityOf(program, provider, flow, back) };
  }

  /** Responds to a failed sign-in with a message, and logs it. */
  async function answered<T>(known: Provider | undefined, task: (found: (provider: Provider) => void) => Promise<T>) {
    let provider = known;
    try {
      return await task((found) => (provider = found));
    } catch (error) {
      if (!(error instanceof Failed)) throw error;
      const failed = new Failed(error.reason, { name: provider?.name, ...error.facts }, { cause: error.cause });
      record(failed, provider);
      return { status: false as const, message: wordsOf(failed), reason: failed.reason };
    }
  }

  /** Throws the message of a failure as Invalid. */
  async function proving<T>(task: () => Promise<T>): Promise<T> {
    try {
      return await task();
    } catch (error) {
      if (error instanceof Failed) throw new Invalid({ single_sign_on: wordsOf(error) });
      throw error;
    }
  }

  function record({ reason, facts, cause }: Failed, provider: Provider | undefined): void {
    const { issuer, site_id = null } = provider ?? {};
    const detail = { method: bySingleSignOn, reason, ...(issuer && { issuer }) };
    void recordSecurityEvent(program, {
      event: 'sign_in_failed',
      user_id: null,
      site_id,
      subject: facts.email,
      detail,
      key: `single sign-on ${reason} ${provider?.id} ${facts.email ?? ''}`,
    });
    if (faultsOfSettings.has(reason))
      program.log.warn(
        { issuer, reason, why: (cause as Error | undefined)?.message },
        'A sign-in through a provider failed',
      );
  }
}

/** Failures that an administrator of Assay or of the provider has to look at. */
const faultsOfSettings: ReadonlySet<string> = new Set([
  'unreachable',
  'not_a_provider',
  'wrong_secret',
  'clock',
  'wrong_issuer',
  'wrong_audience',
  'bad_token',
  'forbidden_address',
]);

/** An identity confirmation requires a sign-in at the provider that is newer than the request. */
function mustBeFresh({ name }: Provider, { begunAt }: Flow, { authenticatedAt }: Identity): void {
  if (authenticatedAt === undefined) throw new Failed('no_auth_time', { name });
  if (authenticatedAt < begunAt - clockDifference * 1000) throw new Failed('not_fresh', { name });
}

function noProvider(email: string | null | undefined): string {
  if (!email) return 'Enter your email address first: its domain determines the single sign-on of your company.';
  return `No single sign-on is set up for ${domainOf(email)}. Sign in with your password.`;
}

function beginLimits(address: string): Limit[] {
  return [{ key: `single sign-on begun ${addressKey(address)}`, times: 600, within: 15 * minute }];
}

function finishLimits(address: string): Limit[] {
  return [{ key: `single sign-on ${addressKey(address)}`, times: 100, within: 15 * minute }];
}
