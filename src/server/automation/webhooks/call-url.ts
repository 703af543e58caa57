import { lookup, type LookupAddress, type LookupAllOptions } from 'node:dns';
import { request as requestPlain } from 'node:http';
import { request as requestEncrypted } from 'node:https';
import type { LookupFunction } from 'node:net';
import ipaddr from 'ipaddr.js';
import type { PrivateTarget } from '../../settings/webhooks';

/** Milliseconds that a call may take, from the name to the end of the answer. */
const callTimeout = 10_000;
/** Bytes of an answer that are read; the rest is not waited for. */
const maxAnswer = 16 * 1024;

/** A URL that must not be called; the message says why, and what to do. */
export class ForbiddenTarget extends Error {
  override name = 'ForbiddenTarget';
}

/** Same as `lookup` of node:dns, with all addresses of a name. */
export type LookupAll = (
  host: string,
  options: LookupAllOptions,
  done: (error: NodeJS.ErrnoException | null, found: LookupAddress[]) => void,
) => void;

export interface CallOptions {
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
  readonly allowedTargets: readonly PrivateTarget[];
  /** Looks up a host name. */
  readonly resolve?: LookupAll;
  readonly signal?: AbortSignal;
  readonly timeout?: number;
}

/** The response of a server: the status and the beginning of the body. */
export interface CallAnswer {
  readonly status: number;
  readonly text: string;
}

/**
 * Why a URL cannot be called; undefined if it can, as far as can be told without a lookup. Hosts are compared in the form
 * that the URL parser gives them, so that `http://2130706433` and `http://0x7f.1` are 127.0.0.1.
 */
export function urlProblem(text: string, allowedTargets: readonly PrivateTarget[]): string | undefined {
  const url = URL.canParse(text) ? new URL(text) : undefined;
  if (!url || !['http:', 'https:'].includes(url.protocol)) return 'The URL must begin with https://.';
  if (url.username || url.password) return 'The URL must not contain a user or a password.';
  const host = hostOf(url);
  if (isAllowedHost(host, allowedTargets)) return undefined;
  if (url.protocol !== 'https:') return 'The URL must begin with https://.';
  if (ipaddr.isValid(host)) return isPublic(host) ? undefined : privateMessage;
  return /(^|\.)(localhost|localdomain|local|internal)\.?$/i.test(host) ? privateMessage : undefined;
}

const privateMessage =
  'The URL must be public: private networks are not allowed, unless WEBHOOK_ALLOW_PRIVATE names the host.';

const hostOf = (url: URL) => url.hostname.replace(/^\[|\]$/g, '').toLowerCase();

/**
 * Posts to a URL. It connects to the very address that was checked, and only if all addresses of the name are public or
 * allowed, so that a name which changes between the check and the connection reaches nothing else (SSRF). Redirects are
 * not followed. Throws ForbiddenTarget, or an error that says why there was no answer.
 */
export function callUrl(target: string, options: CallOptions): Promise<CallAnswer> {
  const { headers, body, allowedTargets, resolve = lookup, signal, timeout = callTimeout } = options;
  return new Promise((settle, reject) => {
    const fault = urlProblem(target, allowedTargets);
    if (fault) return reject(new ForbiddenTarget(fault));
    const url = new URL(target);
    const isHostAllowed = allowedTargets.some((target) => 'host' in target && target.host === hostOf(url));
    const send = url.protocol === 'https:' ? requestEncrypted : requestPlain;
    const slow = AbortSignal.timeout(timeout);
    const call = send(
      url,
      {
        method: 'POST',
        headers: { ...headers, 'content-length': Buffer.byteLength(body), 'accept-encoding': 'identity' },
        agent: false,
        signal: AbortSignal.any([slow, ...(signal ? [signal] : [])]),
        lookup: checkedLookup(resolve, (address) => isHostAllowed || isReachable(address, allowedTargets)),
      },
      (answer) => {
        const parts: Buffer[] = [];
        let length = 0;
        const end = () => {
          const text = Buffer.concat(parts).subarray(0, maxAnswer).toString('utf8');
          settle({ status: answer.statusCode ?? 0, text });
        };
        answer.on('data', (part: Buffer) => {
          parts.push(part);
          length += part.length;
          if (length < maxAnswer) return;
          end();
          call.destroy();
        });
        answer.on('end', end);
        answer.on('error', reject);
      },
    );
    call.on('error', (error) =>
      reject(slow.aborted ? new Error(`There was no complete answer within ${timeout / 1_000} seconds.`) : error),
    );
    call.end(body);
  });
}

/** A lookup for a connection: it gives exactly the addresses that were checked, or fails. */
function checkedLookup(resolve: LookupAll, isOpen: (address: string) => boolean): LookupFunction {
  return (host, options, callback) => {
    resolve(host, { ...options, all: true }, (error, addresses) => {
      if (error) return callback(error, '', 0);
      const [first] = addresses;
      if (!first || !addresses.every(({ address }) => isOpen(address)))
        return callback(new ForbiddenTarget(privateMessage), '', 0);
      if (options.all) callback(null, addresses);
      else callback(null, first.address, first.family);
    });
  };
}

function isAllowedHost(host: string, allowedTargets: readonly PrivateTarget[]): boolean {
  return (
    allowedTargets.some((target) => 'host' in target && target.host === host) ||
    (ipaddr.isValid(host) && isInNetworks(host, allowedTargets))
  );
}

function isReachable(address: string, allowedTargets: readonly PrivateTarget[]): boolean {
  return isPublic(address) || isInNetworks(address, allowedTargets);
}

/** Also for IPv4 addresses written as IPv6 (`::ffff:127.0.0.1`). */
function isPublic(address: string): boolean {
  return ipaddr.process(address).range() === 'unicast';
}

function isInNetworks(address: string, allowedTargets: readonly PrivateTarget[]): boolean {
  const parsedAddress = ipaddr.process(address);
  return allowedTargets.some((target) => {
    if (!('network' in target)) return false;
    const network = ipaddr.parse(target.network);
    return network.kind() === parsedAddress.kind() && parsedAddress.match(network as never, target.prefix);
  });
}
