import { typedApi } from '../../routing/define-call';
import type { FastifyInstance } from 'fastify';
import { findAccountById } from '../users/accounts';
import { singleSignOnMethod, requiredProviderOfDomain } from './required-provider';
import { accountOfIdentity } from './link-account';
import { Invalid, Unauthenticated } from '../../errors/errors';
import type { Program } from '../../program';
import { recordSecurityEvent } from '../../security-log/security-log';
import { networkKey, proofLimits, countAttempt, type AttemptLimit } from '../session/attempts';
import { accessOf } from '../session/authenticate';
import { finishSignIn } from '../session/finish-sign-in';
import { proofLifetime } from '../session/identity-proof';
import { storeProof } from '../session/identity-proof-routes';
import { singleSignOnCalls, type ReturnParameters } from './calls';
import { authorizationUrl, exchangeForIdentity, type Identity } from './exchange';
import { SignOnFailed, failureMessage } from './failures';
import { beginFlow, useFlow, type Flow, type FlowPurpose } from './flows';
import { providerOfUser, userOfIdentity } from './identities';
import { maxClockSkew } from './provider-configuration';
import {
  hasAnyProvider,
  emailDomain,
  installationProvider,
  providerOfDomain,
  providerOfId,
  isTrustedFor,
  type Provider,
} from './providers';

const minute = 60_000;

/** A user who has returned from a provider. */
interface ReturnedUser {
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
  const calls = typedApi(app);
  const { database, settings } = program;

  calls.post('/login/ways', singleSignOnCalls.ways, async (request) => {
    const { email } = request.body;
    const installation = installationProvider(settings);
    const domain = email ? emailDomain(email) : '';
    const company = domain ? await providerOfDomain(database.kysely, domain) : undefined;
    const requiredProvider = email ? await requiredProviderOfDomain(program, email) : undefined;
    return {
      data: {
        single_sign_on: installation !== undefined || (await hasAnyProvider(database.kysely)),
        installation: installation ? { name: installation.name } : null,
        company: company ? { name: company.name, domain, closed: requiredProvider !== undefined } : null,
        password: !settings.singleSignOn.passwordsDisabled && !requiredProvider,
        product: { name: program.product.name, title: program.product.title },
      },
    };
  });

  calls.post('/login/single-sign-on', singleSignOnCalls.begin, async (request, reply) => {
    const { email } = request.body;
    const provider = await providerFor(program, email);
    if (!provider) return { status: false, message: noProviderMessage(email) };
    await countAttempt(database, beginLimits(request.ip));
    return respondToFailures(program, provider, async () => {
      const flow = await beginFlow(program, request, reply, provider, { purpose: 'sign-in' });
      const url = await authorizationUrl(program, provider, flow, { reauthenticate: false, email });
      return { data: { url } };
    });
  });

  calls.post('/login/single-sign-on/finish', singleSignOnCalls.finish, async (request, reply) => {
    const back = request.body;
    const attempt = await countAttempt(database, finishLimits(request.ip));
    return respondToFailures(program, undefined, async (onProvider) => {
      const { provider, identity } = await loadReturnedUser(
        program,
        await useFlow(program, request, back.state, 'sign-in'),
        back,
        onProvider,
      );
      const account = await accountOfIdentity(program, provider, identity);
      await attempt.takeBack();
      const trusted = provider.trusts_second_factor && identity.multipleFactors;
      const answer = await finishSignIn(program, { request, reply }, account, {
        method: singleSignOnMethod,
        secondStep: trusted ? 'done' : 'ask',
        provenAt: identity.authenticatedAt ?? null,
      });
      return 'second_factor' in answer ? { ...answer, email: account.email } : answer;
    });
  });

  calls.post('/me/proof/single-sign-on', singleSignOnCalls.beginProof, async (request, reply) => {
    const { actor, signInId } = await accessOf(program, request);
    const account = await findAccountById(database.kysely, actor.id);
    if (!account) throw new Unauthenticated();
    const provider = await providerOfUser(program, account);
    if (!provider)
      throw new Invalid({
        single_sign_on: 'You have not signed in through a provider: confirm your identity with another method.',
      });
    await countAttempt(database, proofLimits(actor.id));
    return throwFailuresAsInvalid(async () => {
      const purpose: FlowPurpose = 'proof';
      const flow = await beginFlow(program, request, reply, provider, { purpose, signInId });
      return {
        data: { url: await authorizationUrl(program, provider, flow, { reauthenticate: true, email: account.email }) },
      };
    });
  });

  calls.post('/me/proof/single-sign-on/finish', singleSignOnCalls.finishProof, async (request) => {
    const access = await accessOf(program, request);
    const back = request.body;
    const attempt = await countAttempt(database, proofLimits(access.actor.id));
    return throwFailuresAsInvalid(async () => {
      const flow = await useFlow(program, request, back.state, 'proof');
      if (flow.sign_in_id !== access.signInId) throw new SignOnFailed('other_browser');
      const { provider, identity } = await loadReturnedUser(program, flow, back);
      const owner = await userOfIdentity(database.kysely, provider, identity);
      if (owner?.user_id !== access.actor.id) throw new SignOnFailed('other_person', { name: provider.name });
      assertFreshSignIn(provider, flow, identity);
      await attempt.takeBack();
      await storeProof(program, access);
      return {
        status: true,
        message: `For ${proofLifetime / minute} minutes you may change credentials and permissions.`,
      };
    });
  });
}

/** The provider of an email address: its company's, otherwise the installation's if it is trusted for the address. */
async function providerFor({ database, settings }: Program, email: string | undefined): Promise<Provider | undefined> {
  const installation = installationProvider(settings);
  if (!email) return installation;
  const ofDomain = await providerOfDomain(database.kysely, emailDomain(email));
  return ofDomain ?? (installation && isTrustedFor(installation, email) ? installation : undefined);
}

/** The identity of a returning user, from the provider with its current settings. */
async function loadReturnedUser(
  program: Program,
  flow: Flow,
  back: ReturnParameters,
  onProvider?: (provider: Provider) => void,
): Promise<ReturnedUser> {
  const provider = await providerOfId(program, flow.provider_id);
  if (provider) onProvider?.(provider);
  if (!provider || provider.issuer !== flow.issuer) throw new SignOnFailed('changed', { name: provider?.name });
  return { flow, provider, identity: await exchangeForIdentity(program, provider, flow, back) };
}

/** Responds to a failed sign-in with a message, and logs it. */
async function respondToFailures<T>(
  program: Program,
  initialProvider: Provider | undefined,
  task: (found: (provider: Provider) => void) => Promise<T>,
) {
  let provider = initialProvider;
  try {
    return await task((resolvedProvider) => (provider = resolvedProvider));
  } catch (error) {
    if (!(error instanceof SignOnFailed)) throw error;
    const failed = new SignOnFailed(error.reason, { name: provider?.name, ...error.facts }, { cause: error.cause });
    logFailure(program, failed, provider);
    return { status: false as const, message: failureMessage(failed), reason: failed.reason };
  }
}

/** Throws the message of a failure as Invalid. */
async function throwFailuresAsInvalid<T>(task: () => Promise<T>): Promise<T> {
  try {
    return await task();
  } catch (error) {
    if (error instanceof SignOnFailed) throw new Invalid({ single_sign_on: failureMessage(error) });
    throw error;
  }
}

function logFailure(program: Program, { reason, facts, cause }: SignOnFailed, provider: Provider | undefined): void {
  const { issuer, site_id = null } = provider ?? {};
  const detail = { method: singleSignOnMethod, reason, ...(issuer && { issuer }) };
  void recordSecurityEvent(program, {
    event: 'sign_in_failed',
    user_id: null,
    site_id,
    subject: facts.email,
    detail,
    key: `single sign-on ${reason} ${provider?.id} ${facts.email ?? ''}`,
  });
  if (administratorReasons.has(reason))
    program.log.warn(
      { issuer, reason, why: (cause as Error | undefined)?.message },
      'A sign-in through a provider failed',
    );
}

/** Failures that an administrator of Assay or of the provider has to look at. */
const administratorReasons: ReadonlySet<string> = new Set([
  'unreachable',
  'not_a_provider',
  'wrong_secret',
  'clock',
  'wrong_issuer',
  'wrong_audience',
  'bad_token',
  'forbidden_address',
  'no_email_verified',
]);

/** A proof of identity requires a sign-in at the provider that is newer than the request. */
function assertFreshSignIn({ name }: Provider, { begunAt }: Flow, { authenticatedAt }: Identity): void {
  if (authenticatedAt === undefined) throw new SignOnFailed('no_auth_time', { name });
  if (authenticatedAt < begunAt - maxClockSkew * 1000) throw new SignOnFailed('not_fresh', { name });
}

function noProviderMessage(email: string | undefined): string {
  if (!email) return 'Enter your email address first: its domain determines the single sign-on of your company.';
  return `No single sign-on is set up for ${emailDomain(email)}. Sign in with your password.`;
}

function beginLimits(address: string): AttemptLimit[] {
  return [{ key: `single sign-on begun ${networkKey(address)}`, times: 600, within: 15 * minute }];
}

function finishLimits(address: string): AttemptLimit[] {
  return [{ key: `single sign-on ${networkKey(address)}`, times: 100, within: 15 * minute }];
}
