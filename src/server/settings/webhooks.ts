import ipaddr from 'ipaddr.js';
import { type Environment, readText } from './read-value';
import { SettingsError } from './settings-error';

/** A host name, or a network as its first address and the length of its prefix. */
export type PrivateTarget = { readonly host: string } | { readonly network: string; readonly prefix: number };

/**
 * Reads WEBHOOK_ALLOW_PRIVATE: host names, IP addresses and networks (`10.1.0.0/16`) separated by commas, which webhooks
 * may call although they are private, and without encryption. None if absent. Throws a SettingsError.
 */
export function readWebhookAllowPrivate(env: Environment): readonly PrivateTarget[] {
  const value = readText(env, 'WEBHOOK_ALLOW_PRIVATE');
  if (value === undefined) return [];
  return value.split(',').map((entry) => {
    const text = entry.trim().toLowerCase();
    if (ipaddr.isValidCIDR(text)) {
      const [address, prefix] = ipaddr.parseCIDR(text);
      return { network: address.toString(), prefix };
    }
    if (ipaddr.IPv4.isValidFourPartDecimal(text) || ipaddr.IPv6.isValid(text))
      return { network: text, prefix: text.includes(':') ? 128 : 32 };
    if (/^[a-z0-9]([a-z0-9.-]*[a-z0-9])?$/.test(text) && !/^[\d.]+$/.test(text)) return { host: text };
    throw new SettingsError(
      'WEBHOOK_ALLOW_PRIVATE',
      'must be host names, IP addresses or networks separated by commas, as in hooks.internal, 10.1.0.0/16',
    );
  });
}
