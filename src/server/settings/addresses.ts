import { isIP } from 'node:net';
import { type Environment, readText, readUrl } from './read-value';
import { SettingsError } from './settings-error';

const HOST_NAME = /^(?=.{1,253}$)[a-z0-9]([a-z0-9-]*[a-z0-9])?(\.[a-z0-9]([a-z0-9-]*[a-z0-9])?)*$/i;
const WILDCARDS = ['0.0.0.0', '::'];
const MAILBOX = /^[^\s<>@"]+@[^\s<>@"]+$/;
const NAMED_MAILBOX = /^[^<>\r\n]+ <([^<>]+)>$/;

/** Reads HOST, or another setting: the host name or IP address to listen on. */
export function readHost(env: Environment, name = 'HOST'): string {
  const host = readText(env, name) ?? '127.0.0.1';
  if (isIP(host) || (HOST_NAME.test(host) && !/^[\d.]+$/.test(host))) return host;
  throw new SettingsError(name, 'must be the name or the IP address of this machine, as in 127.0.0.1');
}

/** Whether a server that listens on `host` can be reached only from this machine. */
export function isLoopback(host: string): boolean {
  return host.toLowerCase() === 'localhost' || host === '::1' || (isIP(host) === 4 && host.startsWith('127.'));
}

/** Reads PUBLIC_URL, the URL of the program for browsers, without a trailing slash; the local address by default. */
export function readPublicUrl(env: Environment, host: string, port: number): string {
  const url = readUrl(env, 'PUBLIC_URL', ['http', 'https']);
  if (!url) return localAddress(host, port);
  if (url.username || url.password || url.search || url.hash) {
    throw new SettingsError('PUBLIC_URL', 'must have no user, query or #, as in https://assay.example.com');
  }
  if (url.pathname !== '/') throw new SettingsError('PUBLIC_URL', 'must have no path, as in https://assay.example.com');
  return url.origin;
}

/** Whether a text is an email address such as `ada@example.com`. */
export function isMailbox(text: string): boolean {
  return MAILBOX.test(text);
}

/** Reads MAIL_FROM, the sender of all mail: an email address alone or `Name <address>`. */
export function readMailFrom(env: Environment): string {
  const value = readText(env, 'MAIL_FROM');
  if (value === undefined) return 'Assay <assay@localhost>';
  if (isMailbox(NAMED_MAILBOX.exec(value)?.[1] ?? value)) return value;
  throw new SettingsError(
    'MAIL_FROM',
    'must be an email address, as in assay@example.com or Assay <assay@example.com>',
  );
}

/** Reads SECURITY_CONTACT, an email address or URL for security.txt; the sender's address by default. */
export function readSecurityContact(env: Environment): string {
  const text = readText(env, 'SECURITY_CONTACT');
  if (text === undefined) return `mailto:${NAMED_MAILBOX.exec(readMailFrom(env))?.[1] ?? readMailFrom(env)}`;
  if (isMailbox(text)) return `mailto:${text}`;
  if (/^https:\/\/\S+$/.test(text) && URL.canParse(text)) return text;
  throw new SettingsError(
    'SECURITY_CONTACT',
    'must be an email address or a URL, as in security@example.com or https://example.com/security',
  );
}

function localAddress(host: string, port: number): string {
  if (isLoopback(host) || WILDCARDS.includes(host)) return `http://localhost:${port}`;
  return `http://${isIP(host) === 6 ? `[${host}]` : host}:${port}`;
}
