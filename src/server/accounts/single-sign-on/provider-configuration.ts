import { createHash } from 'node:crypto';
import { LRUCache } from 'lru-cache';
import type { ClientAuth, Configuration, ServerMetadata } from 'openid-client';
import type { Program } from '../../program';
import { isLoopback } from '../../settings/addresses';
import { guardedFetch } from './guarded-fetch';
import { installationProviderId, clientSecretOf, type Provider } from './providers';

/** Allowed clock difference between a provider and this machine in seconds. */
export const maxClockSkew = 60;
/** Timeout of a provider in seconds. */
const timeout = 8;
/** A provider does not publish what is needed. */
export class UnusableProvider extends Error {
  override name = 'UnusableProvider';
}

const configurationCache = new LRUCache<string, Promise<Configuration>>({ max: 500, ttl: 60 * 60_000 });

/**
 * The client configuration of a provider, from its published metadata, which is loaded once an hour and again after a
 * failure. Throws what the call throws.
 */
export async function loadConfiguration(program: Program, provider: Provider): Promise<Configuration> {
  const secret = await clientSecretOf(program, provider);
  const key = cacheKey(program, provider, secret);
  let configuration = configurationCache.get(key);
  if (!configuration) {
    configurationCache.set(key, (configuration = discover(program, provider, secret)));
    configuration.catch(() => configurationCache.delete(key));
  }
  return configuration;
}

/** Drops the cached metadata of a provider: its keys or URLs may have changed. */
export async function dropConfiguration(program: Program, provider: Provider): Promise<void> {
  configurationCache.delete(cacheKey(program, provider, await clientSecretOf(program, provider)));
}

/** Loads the metadata of a provider; the secret is not sent. Throws if it does not respond, or not as a provider. */
export async function discover(
  { settings }: Pick<Program, 'settings'>,
  { id, issuer, client_id }: Pick<Provider, 'id' | 'issuer' | 'client_id'>,
  secret: string | undefined,
): Promise<Configuration> {
  const openId = await import('openid-client');
  const url = new URL(issuer);
  const fetch = guardedFetch(id === installationProviderId || settings.singleSignOn.allowPrivateIssuers);
  const insecure = url.protocol === 'http:' && isLoopback(url.hostname.replace(/^\[|\]$/g, ''));
  const discovered = await openId.discovery(url, client_id, undefined, openId.None(), {
    [openId.customFetch]: fetch,
    timeout,
    execute: insecure ? [openId.allowInsecureRequests] : [],
  });
  const metadata = discovered.serverMetadata();
  assertUsableMetadata(metadata, insecure);
  const configuration = new openId.Configuration(
    metadata,
    client_id,
    { [openId.clockTolerance]: maxClockSkew },
    clientAuthentication(openId, secret, metadata.token_endpoint_auth_methods_supported),
  );
  configuration[openId.customFetch] = fetch;
  configuration.timeout = timeout;
  // Tokens from the token endpoint are verified as if the browser had sent them.
  openId.enableNonRepudiationChecks(configuration);
  if (insecure) openId.allowInsecureRequests(configuration);
  return configuration;
}

/** Browsers are sent to one of these URLs, and the others are called: they must be encrypted. */
function assertUsableMetadata(metadata: ServerMetadata, insecure: boolean): void {
  for (const name of ['authorization_endpoint', 'token_endpoint', 'jwks_uri'] as const) {
    const address = metadata[name];
    const url = address !== undefined && URL.canParse(address) ? new URL(address) : undefined;
    if (url?.protocol !== 'https:' && !(insecure && url?.protocol === 'http:')) throw new UnusableProvider(name);
  }
}

/** Most providers accept the secret in the body, which avoids double encoding; otherwise it is sent in the header. */
function clientAuthentication(
  { ClientSecretBasic, ClientSecretPost, None }: typeof import('openid-client'),
  secret: string | undefined,
  methods: readonly string[] = ['client_secret_basic'],
): ClientAuth {
  if (secret === undefined) return None();
  return methods.includes('client_secret_post') ? ClientSecretPost(secret) : ClientSecretBasic(secret);
}

function cacheKey({ settings }: Program, { id, issuer, client_id }: Provider, secret: string | undefined): string {
  const text = JSON.stringify([
    settings.publicUrl,
    settings.singleSignOn.allowPrivateIssuers,
    id,
    issuer,
    client_id,
    secret,
  ]);
  return createHash('sha256').update(text).digest('base64url');
}
