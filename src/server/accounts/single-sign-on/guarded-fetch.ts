import { lookup, type LookupAddress, type LookupAllOptions } from 'node:dns';
import { request as requestPlain } from 'node:http';
import { request as requestEncrypted } from 'node:https';
import type { LookupFunction } from 'node:net';
import ipaddr from 'ipaddr.js';
import type { CustomFetch } from 'openid-client';
import { defaultJsonLimits, JsonScanner } from '../../../engine/values/bounded-json';
import { isLoopback } from '../../settings/addresses';

/** Maximum size of a provider's response in bytes. */
const maxResponseSize = 1024 * 1024;
/** Timeout of a whole call to a provider in milliseconds. */
const callTimeout = 10_000;

/** A provider's URL that must not be called; the message says why. */
export class ForbiddenAddress extends Error {
  override name = 'ForbiddenAddress';
}

/**
 * Creates a `fetch` for providers: with a timeout and a limited response size, without following redirects, and
 * encrypted except on this machine. Unless `privateAllowed`, it connects only to public addresses, whatever host names
 * resolve to at that moment, so that a user-supplied URL cannot reach the installation's own network (SSRF). `resolve`
 * looks up a host name.
 */
export function guardedFetch(privateAllowed: boolean, resolve: LookupAll = lookup): CustomFetch {
  return (address, { method, headers, body, signal }) =>
    new Promise((settle, reject) => {
      const url = new URL(address);
      const host = url.hostname.replace(/^\[|\]$/g, '');
      const fault = urlProblem(url, host, privateAllowed);
      if (fault) return reject(new ForbiddenAddress(fault));
      const request = url.protocol === 'https:' ? requestEncrypted : requestPlain;
      const call = request(
        url,
        {
          method,
          headers: { ...headers, 'accept-encoding': 'identity' },
          agent: false,
          signal: AbortSignal.any([AbortSignal.timeout(callTimeout), ...(signal ? [signal] : [])]),
          ...(!privateAllowed && { lookup: publicLookup(resolve) }),
        },
        (answer) => {
          const parts: Buffer[] = [];
          const scanner = new JsonScanner(defaultJsonLimits);
          let length = 0;
          answer.on('data', (part: Buffer) => {
            length += part.length;
            if (length > maxResponseSize) return call.destroy(new Error('The provider answered with more than 1 MB.'));
            parts.push(part);
            try {
              scanner.scan(part.toString('latin1'));
            } catch (error) {
              call.destroy(error as Error);
            }
          });
          answer.on('end', () => {
            const status = answer.statusCode ?? 0;
            const entries = Object.entries(answer.headers).flatMap(([name, value]) =>
              value === undefined ? [] : [[name, String(value)] as [string, string]],
            );
            const content = status === 204 || status === 304 ? null : Buffer.concat(parts);
            settle(new Response(content, { status, headers: entries }));
          });
          answer.on('error', reject);
        },
      );
      call.on('error', reject);
      call.end(body === null || body === undefined ? undefined : String(body));
    });
}

/** Why a provider's URL cannot be used; undefined if it can, as far as can be told without a DNS lookup. */
export function urlProblem(url: URL, host: string, privateAllowed: boolean): string | undefined {
  if (url.protocol !== 'https:' && !(url.protocol === 'http:' && privateAllowed && isLoopback(host))) {
    return 'The URL of a provider must begin with https://.';
  }
  if (!privateAllowed && ((ipaddr.isValid(host) && !isPublic(host)) || isLoopback(host))) return privateAddressMessage;
  return undefined;
}

const privateAddressMessage = 'The URL of a provider must be public: private networks are not allowed.';

/** Same as `lookup` of node:dns, with all addresses of a name. */
export type LookupAll = (
  host: string,
  options: LookupAllOptions,
  done: (error: NodeJS.ErrnoException | null, found: LookupAddress[]) => void,
) => void;

const publicLookup =
  (resolve: LookupAll): LookupFunction =>
  (host, options, callback) => {
    resolve(host, { ...options, all: true }, (error, addresses) => {
      if (error) return callback(error, '', 0);
      const open: LookupAddress[] = addresses.filter(({ address }) => isPublic(address));
      const [first] = open;
      if (!first) return callback(new ForbiddenAddress(privateAddressMessage), '', 0);
      if (options.all) callback(null, open);
      else callback(null, first.address, first.family);
    });
  };

function isPublic(address: string): boolean {
  return ipaddr.process(address).range() === 'unicast';
}
