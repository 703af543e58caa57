import { isIP } from 'node:net';
import { isLoopback } from './addresses';
import { type Environment, readChoice, readText, readUrl } from './read-value';
import { SettingsError } from './settings-error';
import { requireValue } from '../../engine/values/lookups';

/** The operator's settings of single sign-on. */
export interface SingleSignOnSettings {
  /** The provider of the whole installation. */
  readonly provider?: InstallationProvider;
  /** Signing in with a password or a passkey alone is disabled. */
  readonly passwordsDisabled: boolean;
  /** Identity providers of companies may have private addresses, and loopback addresses without encryption. */
  readonly allowPrivateIssuers: boolean;
  /**
   * The DNS servers that are queried for domain verification, as in `9.9.9.9` or `127.0.0.1:5353`; without them, those
   * of the machine.
   */
  readonly nameServers?: readonly string[];
}

/** The OpenID Connect provider of the installation, as set in the environment. */
export interface InstallationProvider {
  readonly name: string;
  readonly issuer: string;
  readonly clientId: string;
  /** Without it, Assay is a public client. */
  readonly clientSecret?: string;
  /** The email domains that the provider is trusted for, in lower case; `*`: any. */
  readonly domains: readonly string[] | '*';
  /** Whether a second factor confirmed by the provider is accepted. */
  readonly trustsSecondFactor: boolean;
  /** Whether addresses of its domains count of which it does not say whether it has verified them. */
  readonly trustsAddresses: boolean;
}

const DOMAIN = /^(?=.{1,253}$)([a-z0-9]([a-z0-9-]{0,61}[a-z0-9])?\.)+[a-z][a-z0-9-]{0,61}[a-z0-9]$/;

/** Reads OIDC_*, LOCAL_SIGN_IN and DNS_SERVERS. Throws a SettingsError. */
export function readSingleSignOn(env: Environment): SingleSignOnSettings {
  const provider = readProvider(env);
  const localClosed = readChoice(env, 'LOCAL_SIGN_IN', ['open', 'closed']) === 'closed';
  if (localClosed && !provider) {
    throw new SettingsError('LOCAL_SIGN_IN', 'can be closed only if OIDC_ISSUER is set as another way to sign in');
  }
  return {
    ...(provider && { provider }),
    passwordsDisabled: localClosed,
    allowPrivateIssuers: readChoice(env, 'OIDC_PRIVATE_ISSUERS', ['refused', 'allowed']) === 'allowed',
    ...nameServers(env),
  };
}

/** Whether a text is a domain name of at least two parts, in lower case. */
export function isDomain(text: string): boolean {
  return DOMAIN.test(text);
}

/** Settings that say something about the provider of `OIDC_ISSUER`. */
const dependentNames = [
  'OIDC_CLIENT_ID',
  'OIDC_CLIENT_SECRET',
  'OIDC_NAME',
  'OIDC_DOMAINS',
  'OIDC_SECOND_FACTOR',
  'OIDC_ADDRESSES',
] as const;

function readProvider(env: Environment): InstallationProvider | undefined {
  const issuer = readUrl(env, 'OIDC_ISSUER', ['https', 'http']);
  if (!issuer) {
    const otherName = dependentNames.find((name) => readText(env, name) !== undefined);
    if (otherName) throw new SettingsError(otherName, 'must be set together with OIDC_ISSUER: set both or neither');
    return undefined;
  }
  if (issuer.protocol === 'http:' && !isLoopback(issuer.hostname.replace(/^\[|\]$/g, ''))) {
    throw new SettingsError('OIDC_ISSUER', 'must begin with https:// unless the provider runs on this machine');
  }
  if (issuer.username || issuer.password || issuer.search || issuer.hash) {
    throw new SettingsError(
      'OIDC_ISSUER',
      'must have no user, query or #, as in https://login.example.com/realms/main',
    );
  }
  const clientId = readText(env, 'OIDC_CLIENT_ID');
  if (clientId === undefined) {
    throw new SettingsError(
      'OIDC_CLIENT_ID',
      'is required with OIDC_ISSUER: the client ID of this installation at the provider',
    );
  }
  const domains = readDomains(env);
  const trustsAddresses = readChoice(env, 'OIDC_ADDRESSES', ['verified', 'trust']) === 'trust';
  // Where anybody can enter any address at the provider, it would sign them in as its owner.
  if (trustsAddresses && domains === '*')
    throw new SettingsError(
      'OIDC_ADDRESSES',
      'can be trust only if OIDC_DOMAINS lists the domains whose addresses the provider itself gives to people',
    );
  return {
    name: readText(env, 'OIDC_NAME') ?? 'single sign-on',
    issuer: requireValue(readText(env, 'OIDC_ISSUER'), 'OIDC_ISSUER'),
    clientId,
    clientSecret: readText(env, 'OIDC_CLIENT_SECRET'),
    domains,
    trustsSecondFactor: readChoice(env, 'OIDC_SECOND_FACTOR', ['ask', 'trust']) === 'trust',
    trustsAddresses,
  };
}

function readDomains(env: Environment): readonly string[] | '*' {
  const text = readText(env, 'OIDC_DOMAINS');
  const rule = 'must list the email domains that the provider is trusted for, as in example.com, example.org, or be *';
  if (text === undefined) throw new SettingsError('OIDC_DOMAINS', `${rule}; it is required with OIDC_ISSUER`);
  if (text === '*') return '*';
  const domains = text.split(',').map((part) => part.trim().toLowerCase());
  if (!domains.every(isDomain)) throw new SettingsError('OIDC_DOMAINS', rule);
  return domains;
}

function nameServers(env: Environment): Pick<SingleSignOnSettings, 'nameServers'> {
  const text = readText(env, 'DNS_SERVERS');
  if (text === undefined) return {};
  const servers = text.split(',').map((part) => part.trim());
  const areValid = servers.every(
    (server) =>
      isIP(server) ||
      (/^[\d.]+:\d{1,5}$|^\[[\da-f:]+\]:\d{1,5}$/i.test(server) &&
        isIP(server.replace(/:\d+$/, '').replace(/[[\]]/g, ''))),
  );
  if (!areValid)
    throw new SettingsError('DNS_SERVERS', 'must be IP addresses separated by commas, as in 9.9.9.9, 149.112.112.112');
  return { nameServers: servers };
}
