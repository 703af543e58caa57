import ipaddr from 'ipaddr.js';
import { type Environment, readText } from './read-value';
import { SettingsError } from './settings-error';

/**
 * The proxies whose `X-Forwarded-*` headers are trusted: a number of proxies in a row, or proxies at certain addresses.
 */
export type TrustedProxies = { readonly hops: number } | { readonly networks: readonly string[] };

/** A larger number of proxies in a row is a mistake. */
const maxHops = 10;

/**
 * Reads TRUST_PROXY: a number of proxies, or their addresses and networks separated by commas. Undefined if absent: no
 * headers are trusted.
 */
export function readTrustProxy(env: Environment): TrustedProxies | undefined {
  const value = readText(env, 'TRUST_PROXY');
  if (value === undefined) return undefined;
  if (/^\d+$/.test(value)) {
    const hops = Number(value);
    if (hops > maxHops) throw new SettingsError('TRUST_PROXY', `must be a number of proxies from 0 to ${maxHops}`);
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

/** Converts the setting for Fastify, which rejects a bare number, so hops are counted by a function. */
export function toFastifyTrustProxy(trusted: TrustedProxies | undefined) {
  if (trusted === undefined) return false;
  return 'hops' in trusted ? (_address: string, hop: number) => hop < trusted.hops : [...trusted.networks];
}

/** Whether a text is an IP address, or one with a prefix length. A prefix of 0 would trust everybody. */
function isNetwork(entry: string): boolean {
  const [address = '', prefix, ...rest] = entry.split('/');
  if (rest.length > 0 || address.includes('%') || !isAddress(address)) return false;
  if (prefix === undefined) return true;
  const bits = ipaddr.parse(address).kind() === 'ipv4' ? 32 : 128;
  return /^\d{1,3}$/.test(prefix) && Number(prefix) >= 1 && Number(prefix) <= bits;
}

/** `ipaddr.js` also accepts shortened and octal IPv4 addresses, which are rarely intended. */
function isAddress(text: string): boolean {
  return ipaddr.IPv6.isValid(text) || ipaddr.IPv4.isValidFourPartDecimal(text);
}
