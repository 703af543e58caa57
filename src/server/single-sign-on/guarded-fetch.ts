import { lookup, type LookupAddress, type LookupAllOptions } from 'node:dns';
import { request as requestPlain } from 'node:http';
import { request as requestEncrypted } from 'node:https';
import type { LookupFunction } from 'node:net';
import ipaddr from 'ipaddr.js';
import type { CustomFetch } from 'openid-client';
import { isLoopback } from '../settings/addresses';

/** What a provider may answer at most, in bytes. */
const largestAnswer = 1024 * 1024;
/** Milliseconds in which a call to a provider must be answered as a whole. */
const deadline = 10_000;

/** A provider's address that must not be called; the message says why. */
export class ForbiddenAddress extends Error {
  override name = 'ForbiddenAddress';
}

/**
 * How providers are called: within a time, with a bounded answer, without following redirects, and encrypted beyond this
 * machine. Unless `privateAllowed`, only public addresses are connected to, whatever their names lead to at that moment:
 * an address that somebody chose does not reach into the installation's own network. `resolve` asks for a name's addresses.
 */
export function guardedFetch(privateAllowed: boolean, resolve: Resolve = lookup): CustomFetch {
  return (address, { method, headers, body, signal }) =>
    new Promise((answered, reject) => {
      const url = new URL(address);
      const host = url.hostname.replace(/^\[|\]$/g, '');
      const fault = faultOf(url, host, privateAllowed);
      if (fault) return reject(new ForbiddenAddress(fault));
      const request = url.protocol === 'https:' ? requestEncrypted : requestPlain;
      const call = request(
        url,
        {
          method,
          headers: { ...headers, 'accept-encoding': 'identity' },
          agent: false,
          signal: AbortSignal.any([AbortSignal.timeout(deadline), ...(signal ? [signal] : [])]),
          ...(!privateAllowed && { lookup: publicLookup(resolve) }),
        },
        (answer) => {
          const parts: Buffer[] = [];
          let length = 0;
          answer.on('data', (part: Buffer) => {
            length += part.length;
            if (length > largestAnswer) call.destroy(new Error('The provider answered with more than 1 MB.'));
            else parts.push(part);
          });
          answer.on('end', () => {
            const status = answer.statusCode ?? 0;
            const entries = Object.entries(answer.headers).flatMap(([name, value]) =>
              value === undefined ? [] : [[name, String(value)] as [string, string]],
            );
            const content = status === 204 || status === 304 ? null : Buffer.concat(parts);
            answered(new Response(content, { status, headers: entries }));
          });
          answer.on('error', reject);
        },
      );
      call.on('error', reject);
      call.end(body === null || body === undefined ? undefined : String(body));
    });
}

/** Why a provider's address cannot be used; undefined where it can, as far as it can be told without asking for its name. */
export function faultOf(url: URL, host: string, privateAllowed: boolean): string | undefined {
  if (url.protocol !== 'https:' && !(url.protocol === 'http:' && privateAllowed && isLoopback(host))) {
    return 'The address of a provider must begin with https://.';
  }
  if (!privateAllowed && ((ipaddr.isValid(host) && !isPublic(host)) || isLoopback(host))) return privateAddress;
  return undefined;
}

const privateAddress = 'The address of a provider must be public: private networks are not called from here.';

/** As `lookup` of node:dns, all addresses of a name at once. */
export type Resolve = (
  host: string,
  options: LookupAllOptions,
  done: (error: NodeJS.ErrnoException | null, found: LookupAddress[]) => void,
) => void;

const publicLookup =
  (resolve: Resolve): LookupFunction =>
  (host, options, done) => {
    resolve(host, { ...options, all: true }, (error, found) => {
      if (error) return done(error, '', 0);
      const open: LookupAddress[] = found.filter(({ address }) => isPublic(address));
      const [first] = open;
      if (!first) return done(new ForbiddenAddress(privateAddress), '', 0);
      if (options.all) done(null, open);
      else done(null, first.address, first.family);
    });
  };

function isPublic(address: string): boolean {
  return ipaddr.process(address).range() === 'unicast';
}
