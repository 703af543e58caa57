import type { Configuration, IDToken } from 'openid-client';
import type { Program } from '../../program';
import { SignOnFailed, toFailure } from './failures';
import type { Flow } from './flows';
import { loadConfiguration, dropConfiguration } from './provider-configuration';
import type { Provider } from './providers';
import type { ReturnParameters } from './calls';
import { requireValue } from '../../../engine/values/lookups';

/** A user's identity as a provider states it. */
export interface Identity {
  readonly issuer: string;
  readonly subject: string;
  /** Empty if the provider does not return it. */
  readonly email: string;
  /** Whether the provider has verified the address; undefined if it does not say. */
  readonly verified: boolean | undefined;
  readonly firstName: string;
  readonly lastName: string;
  /**
   * When the user last signed in at the provider, in milliseconds since 1970; undefined if the provider does not say.
   */
  readonly authenticatedAt?: number;
  /** Whether the provider states that more than one factor was used. */
  readonly multipleFactors: boolean;
}

/** The authentication context that means more than one factor. */
const multipleFactorContext = 'http://schemas.openid.net/pape/policies/2007/06/multi-factor';

/** The redirect URI, which must be registered at the provider. */
export function redirectUri({ settings }: Pick<Program, 'settings'>): string {
  return `${settings.publicUrl}/auth/single-sign-on`;
}

/** The URL where the browser signs in at a provider. Throws Failed if the provider does not respond. */
export async function authorizationUrl(
  program: Program,
  provider: Provider,
  flow: Pick<Flow, 'state' | 'nonce' | 'verifier'>,
  { reauthenticate, email }: { reauthenticate: boolean; email?: string },
): Promise<string> {
  try {
    const { buildAuthorizationUrl, calculatePKCECodeChallenge } = await import('openid-client');
    const configuration = await loadConfiguration(program, provider);
    const url = buildAuthorizationUrl(configuration, {
      redirect_uri: redirectUri(program),
      scope: 'openid email profile',
      state: flow.state,
      nonce: flow.nonce,
      code_challenge: await calculatePKCECodeChallenge(flow.verifier),
      code_challenge_method: 'S256',
      ...(email && { login_hint: email }),
      ...(reauthenticate && { prompt: 'login', max_age: '0' }),
    });
    return url.href;
  } catch (error) {
    throw toFailure(error, { name: provider.name });
  }
}

/** Exchanges the returned parameters for the user's identity. Throws Failed. */
export async function exchangeForIdentity(
  program: Program,
  provider: Provider,
  flow: Flow,
  back: ReturnParameters,
): Promise<Identity> {
  const url = new URL(redirectUri(program));
  for (const [name, value] of Object.entries(back)) if (typeof value === 'string') url.searchParams.set(name, value);
  try {
    const { authorizationCodeGrant } = await import('openid-client');
    const configuration = await loadConfiguration(program, provider);
    const tokens = await authorizationCodeGrant(configuration, url, {
      expectedState: flow.state,
      expectedNonce: flow.nonce,
      pkceCodeVerifier: flow.verifier,
      idTokenExpected: true,
    });
    const claims = requireValue(tokens.claims(), 'the claims of the ID token');
    return parseIdentity(claims, await fetchMissingClaims(configuration, claims, tokens.access_token));
  } catch (error) {
    const failure = toFailure(error, { name: provider.name });
    // Keys may have been rotated: the next sign-in loads them again.
    if (failure.reason === 'bad_token' || failure.reason === 'wrong_issuer') await dropConfiguration(program, provider);
    throw failure;
  }
}

/** Loads claims that are missing in the token from the userinfo endpoint, if the provider has one. */
async function fetchMissingClaims(
  configuration: Configuration,
  claims: IDToken,
  token: string,
): Promise<Record<string, unknown>> {
  const hasAddress = typeof claims.email === 'string';
  if ((hasAddress && isVerified(claims) !== undefined) || !configuration.serverMetadata().userinfo_endpoint) return {};
  const { fetchUserInfo } = await import('openid-client');
  try {
    return (await fetchUserInfo(configuration, token, claims.sub)) as Record<string, unknown>;
  } catch (error) {
    // A user who is linked already signs in without the address.
    if (hasAddress) return {};
    throw error;
  }
}

function parseIdentity(claims: IDToken, extraClaims: Record<string, unknown>): Identity {
  // Whether an address is verified must be said of that address.
  const source: Record<string, unknown> = typeof claims.email === 'string' ? claims : extraClaims;
  const isSameAddress = textOf(extraClaims.email).toLowerCase() === textOf(source.email).toLowerCase();
  const allClaims: Record<string, unknown> = { ...extraClaims, ...claims };
  const email = textOf(source.email).trim();
  const [first = '', ...rest] = textOf(allClaims.name).trim().split(/\s+/);
  if (claims.sub.length > 255) throw new SignOnFailed('bad_token');
  return {
    issuer: claims.iss,
    subject: claims.sub,
    email,
    verified: isVerified(source) ?? (isSameAddress ? isVerified(extraClaims) : undefined),
    firstName: textOf(allClaims.given_name).trim() || first,
    lastName: textOf(allClaims.family_name).trim() || rest.join(' '),
    ...(typeof claims.auth_time === 'number' && { authenticatedAt: claims.auth_time * 1000 }),
    multipleFactors: usedMultipleFactors(claims),
  };
}

/** Microsoft's providers use a claim of their own to state that the email domain is verified. Undefined without either. */
function isVerified({ email_verified, xms_edov }: Record<string, unknown>): boolean | undefined {
  const emailVerified = email_verified ?? xms_edov;
  return emailVerified === undefined || emailVerified === null ? undefined : trueValues.has(emailVerified);
}

/** Providers write them as texts and numbers too. */
const trueValues: ReadonlySet<unknown> = new Set([true, 1, '1', 'true']);

function usedMultipleFactors({ amr, acr }: IDToken): boolean {
  return (Array.isArray(amr) && amr.includes('mfa')) || acr === multipleFactorContext;
}

function textOf(value: unknown): string {
  return typeof value === 'string' ? value : '';
}
