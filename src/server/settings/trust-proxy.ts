import ipaddr from 'ipaddr.js';
import { type Environment, readText } from './read-value';
import { SettingsError } from './settings-error';

/** Whose `X-Forwarded-*` headers are believed: so many proxies in a row, or those at certain addresses. */
export type TrustedProxies = { readonly hops: number } | { readonly networks: readonly string[] };

/** More proxies in a row than anybody has: a larger number is a mistake. */
const mostHops = 10;

/**
 * TRUST_PROXY: a number of proxies, or their addresses and networks separated by commas. Undefined when absent:
 * nobody's headers are believed.
 */
export function readTrustProxy(env: Environment): TrustedProxies | undefined {
  const value = readText(env, 'TRUST_PROXY');
  if (value === undefined) return undefined;
  if (/^\d+$/.test(value)) {
    const hops = Number(value);
    if (hops > mostHops) throw new SettingsError('TRUST_PROXY', `must be a number of proxies from 0 to ${mostHops}`);
    return hops === 0 ? undefined : { hops };
  }
  const networks = value.split(',').map((entry) => entry.trim());
  if (!networks.every(isNetwork)) {
    throw new SettingsError(
      'TRUST_PROXY',
      'must be a number of proxies, or their addresses and networks, as in 127.0.0.1, 10.0.0.0/8',
    );
  }
  return { networks };
}

/** The setting in Fastify's words. A bare number would be refused there, so hops are counted by a function. */
export function fastifyTrust(trusted: TrustedProxies | undefined) {
  if (trusted === undefined) return false;
  return 'hops' in trusted ? (_address: string, hop: number) => hop < trusted.hops : [...trusted.networks];
}

/** An address, or one with the length of its network's prefix. A prefix of 0 would believe everybody. */
function isNetwork(entry: string): boolean {
  const [address = '', prefix, ...rest] = entry.split('/');
  if (rest.length > 0 || address.includes('%') || !isAddress(address)) return false;
  if (prefix === undefined) return true;
  const bits = ipaddr.parse(address).kind() === 'ipv4' ? 32 : 128;
  return /^\d{1,3}$/.test(prefix) && Number(prefix) >= 1 && Number(prefix) <= bits;
}

/** `ipaddr.js` also reads shortened and octal IPv4 addresses, which are rarely what was meant. */
function isAddress(text: string): boolean {
  return ipaddr.IPv6.isValid(text) || ipaddr.IPv4.isValidFourPartDecimal(text);
}
