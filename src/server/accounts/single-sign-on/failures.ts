import type { AuthorizationResponseError, ResponseBodyError } from 'openid-client';
import { maxClockSkew, UnusableProvider } from './provider-configuration';
import { ForbiddenAddress } from './guarded-fetch';

/** Why a sign-in through a provider failed, as in the security log. */
export type FailureReason =
  | 'expired'
  | 'replayed'
  | 'other_browser'
  | 'changed'
  | 'cancelled'
  | 'provider_error'
  | 'unreachable'
  | 'forbidden_address'
  | 'not_a_provider'
  | 'wrong_secret'
  | 'code_refused'
  | 'clock'
  | 'wrong_issuer'
  | 'wrong_audience'
  | 'bad_token'
  | 'no_address'
  | 'incomplete'
  | 'unverified'
  | 'no_email_verified'
  | 'other_domain'
  | 'no_account'
  | 'suspended'
  | 'unconfirmed'
  | 'deleted'
  | 'other_company'
  | 'other_identity'
  | 'other_way'
  | 'no_role'
  | 'other_person'
  | 'not_fresh'
  | 'no_auth_time';

/** Values for the message of a failure. */
export interface FailureFacts {
  /** The provider. */
  readonly name?: string;
  readonly email?: string;
  readonly detail?: string;
}

/** A failed sign-in through a provider: expected, and shown to the user as a message. */
export class SignOnFailed extends Error {
  override name = 'Failed';
  constructor(
    readonly reason: FailureReason,
    readonly facts: FailureFacts = {},
    options?: ErrorOptions,
  ) {
    super(reason, options);
  }
}

type MessageBuilder = (facts: { name: string; email: string; detail: string }) => string;

const messages: Readonly<Record<FailureReason, MessageBuilder>> = {
  expired: () => 'This sign-in has expired or is unknown here. Please start again.',
  replayed: () =>
    'This sign-in was already completed, for example before you went back or reloaded. Please sign in again.',
  other_browser: () =>
    'This sign-in was started in another browser, or cookies are disabled. Please start again in this one.',
  changed: ({ name }) => `The settings of ${name} have changed in the meantime. Please start again.`,
  cancelled: ({ name }) => `You cancelled at ${name}. You were not signed in.`,
  provider_error: ({ name, detail }) => `${name} refused to sign you in${detail && `: ${detail}`}.`,
  unreachable: ({ name }) =>
    `${name} is not responding. Please try again in a moment; if this continues, contact your administrator.`,
  forbidden_address: ({ detail }) => detail,
  not_a_provider: ({ name }) =>
    `The configuration that ${name} publishes is not usable. Ask your administrator to check the issuer.`,
  wrong_secret: ({ name }) =>
    `${name} does not accept this installation: its client ID or secret is wrong. Contact your administrator.`,
  code_refused: ({ name }) =>
    `${name} rejected the sign-in code: it was already used or has expired. Please sign in again.`,
  clock: ({ name }) =>
    `The clocks of ${name} and of this server differ by more than ${maxClockSkew} seconds. Contact your administrator.`,
  wrong_issuer: ({ name }) =>
    `The response came from another issuer than ${name}. You were not signed in; contact your administrator.`,
  wrong_audience: ({ name }) =>
    `The response of ${name} was meant for another application. You were not signed in; contact your administrator.`,
  bad_token: ({ name }) =>
    `The response of ${name} could not be verified. Please try again; if this continues, contact your administrator.`,
  no_address: ({ name }) =>
    `${name} did not return your email address. Its administrator has to share it with this installation.`,
  incomplete: ({ email, detail }) =>
    `The data for ${email} is not sufficient for an account here: ${detail} Ask the owner of your company.`,
  unverified: ({ name, email }) => `${name} has not verified ${email}. Verify the address there, then sign in again.`,
  no_email_verified: ({ name, email }) =>
    `${name} does not say whether ${email} is verified: the claim email_verified is missing. Its administrator can add the claim, or whoever set up single sign-on here can trust the provider for its domains (the owner of your company, or OIDC_ADDRESSES=trust).`,
  other_domain: ({ name, email }) => `${name} cannot sign in ${email} here: the address belongs to another domain.`,
  no_account: ({ email }) => `There is no account for ${email} here. Ask your company for an invitation.`,
  suspended: ({ email }) => `The account of ${email} is not active. Ask the owner of your company.`,
  unconfirmed: ({ email }) =>
    `The address ${email} has not been confirmed here. Open the link in the confirmation email, or ask for a new invitation.`,
  deleted: ({ email }) => `The account of ${email} was deleted. Ask the owner of your company.`,
  other_company: ({ email }) => `The account of ${email} belongs to another company.`,
  other_identity: ({ name, email }) =>
    `The account of ${email} belongs to another identity at ${name}. The owner of your company can forget the former one in the settings of single sign-on.`,
  other_way: ({ detail }) => `Your company requires another sign-in method: ${detail}.`,
  no_role: () => 'New users cannot be added: the role chosen for them no longer exists. Ask the owner of your company.',
  other_person: ({ name }) => `Somebody else signed in at ${name}. Sign in there with the account that you use here.`,
  not_fresh: ({ name }) =>
    `${name} did not ask you to sign in again, so your identity is not confirmed. Sign out there, then try again.`,
  no_auth_time: ({ name }) =>
    `${name} does not say when you signed in, so it cannot confirm your identity. Use a passkey or your authenticator app.`,
};

/** The message of a failure for the user. */
export function failureMessage({
  reason,
  facts: { name = 'Your provider', email = 'this address', detail = '' },
}: SignOnFailed): string {
  return messages[reason]({ name, email, detail });
}

/** Converts an error of the library or network; rethrows anything else. */
export function toFailure(error: unknown, facts: FailureFacts): SignOnFailed {
  if (error instanceof SignOnFailed) return new SignOnFailed(error.reason, { ...facts, ...error.facts }, error);
  const failed = (reason: FailureReason, detail?: string) =>
    new SignOnFailed(reason, { ...facts, ...(detail && { detail }) }, { cause: error });
  const forbidden = causeChain(error).find((cause) => cause instanceof ForbiddenAddress);
  if (forbidden) return failed('forbidden_address', forbidden.message);
  if (error instanceof UnusableProvider) return failed('not_a_provider');
  if (isLibraryError<AuthorizationResponseError>(error, 'OAUTH_AUTHORIZATION_RESPONSE_ERROR'))
    return failed(...providerErrorReason(error));
  if (isLibraryError<ResponseBodyError>(error, 'OAUTH_RESPONSE_BODY_ERROR')) {
    if (error.error === 'invalid_client' || error.error === 'unauthorized_client') return failed('wrong_secret');
    return error.error === 'invalid_grant' ? failed('code_refused') : failed('provider_error', plainText(error.error));
  }
  const causes = causeChain(error) as (Error & { code?: unknown; cause?: { claim?: string } })[];
  // The code of a timeout is a number.
  const codes = causes.flatMap(({ code }) => (typeof code === 'string' ? [code] : []));
  const code = codes.find((errorCode) => errorCode.startsWith('OAUTH_'));
  if (code === 'OAUTH_JWT_TIMESTAMP_CHECK_FAILED') return failed('clock');
  if (code === 'OAUTH_JWT_CLAIM_COMPARISON_FAILED' || code === 'OAUTH_JSON_ATTRIBUTE_COMPARISON_FAILED') {
    const claims = causes.map(({ cause }) => cause?.claim ?? (cause as { attribute?: string } | undefined)?.attribute);
    if (claims.some((claim) => claim === 'iss' || claim === 'issuer')) return failed('wrong_issuer');
    return failed(claims.includes('aud') || claims.includes('azp') ? 'wrong_audience' : 'bad_token');
  }
  if (causes.some(({ message }) => message.includes('"iss" (issuer)'))) return failed('wrong_issuer');
  if (code === 'OAUTH_WWW_AUTHENTICATE_CHALLENGE') return failed('wrong_secret');
  if (code === 'OAUTH_TIMEOUT' || code === 'OAUTH_ABORT' || causes.some(isNetworkError)) return failed('unreachable');
  if (code === 'OAUTH_RESPONSE_IS_NOT_CONFORM' || code === 'OAUTH_RESPONSE_IS_NOT_JSON' || code === 'OAUTH_PARSE_ERROR')
    return failed('unreachable');
  if (code?.includes('SERVER_METADATA') || code === 'OAUTH_HTTP_REQUEST_FORBIDDEN') return failed('not_a_provider');
  if (code) return failed('bad_token');
  throw error;
}

/** Whether the library threw an error of a class, which is told by its code: the library is loaded when it is used. */
function isLibraryError<Class extends { readonly code: string }>(error: unknown, code: Class['code']): error is Class {
  return error instanceof Error && (error as { code?: unknown }).code === code;
}

/** The reason for an error response of a provider; some are the user's own choice. */
function providerErrorReason({ error, error_description }: AuthorizationResponseError): [FailureReason, string?] {
  if (error === 'access_denied') return ['cancelled'];
  if (error === 'temporarily_unavailable' || error === 'server_error') return ['unreachable'];
  if (error === 'unauthorized_client') return ['wrong_secret'];
  return ['provider_error', plainText(error_description ?? error)];
}

/** Text from a provider is shown as plain text of limited length. */
function plainText(text: string): string {
  return text
    .replace(/[^\p{L}\p{N}\p{P} ]/gu, ' ')
    .slice(0, 200)
    .replace(/\.$/, '');
}

function isNetworkError(error: { code?: unknown; name?: string; message?: string }): boolean {
  return (
    /^(E[A-Z_]+|ERR_TLS\w*|CERT_\w+|DEPTH_ZERO\w+|SELF_SIGNED\w+|UNABLE_TO\w+|HPE_\w+)$/.test(
      String(error.code ?? ''),
    ) ||
    /^(AbortError|TimeoutError)$/.test(error.name ?? '') ||
    /more than 1 MB/.test(error.message ?? '')
  );
}

function causeChain(error: unknown): Error[] {
  const causes: Error[] = [];
  for (let cause = error; cause instanceof Error && causes.length < 10; cause = cause.cause) causes.push(cause);
  return causes;
}
