import cookies from '@fastify/cookie';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { Refused } from '../errors/errors';
import type { Settings } from '../settings/settings';
import { longestSignIn } from './sign-ins';

/** Where the cookie is sent, and nowhere else. */
const path = '/api/session';
/** The header that asks for a renewable sign-in, and without which nothing is renewed: no form of another page sends it. */
export const sessionHeader = 'x-session';

/** Lets the routes that are registered on `app` from now on read and set cookies. */
export async function registerCookies(app: FastifyInstance): Promise<void> {
  await app.register(cookies, { hook: false });
}

type Place = Pick<Settings, 'publicUrl'>;

/** Whether a request comes from the browser application, which asks for a token of minutes and renews it. */
export function wantsRenewable(request: FastifyRequest): boolean {
  return request.headers[sessionHeader] === 'renewable';
}

/**
 * Throws Refused for a request that another site may have had a browser send: without the header, or with an origin that
 * is neither the public address nor the host that was asked.
 */
export function mustBeOwnPage(request: FastifyRequest, settings: Place): void {
  const { origin } = request.headers;
  const own = origin === undefined || origin === settings.publicUrl || hostOf(origin) === request.host.toLowerCase();
  if (wantsRenewable(request) && own) return;
  throw new Refused('A session is renewed by the pages of this installation alone.');
}

/** The secret that a request brings; undefined without a cookie. */
export function readRenewal(request: FastifyRequest, settings: Place): string | undefined {
  const value = request.server.parseCookie(request.headers.cookie ?? '')[nameOf(request, settings)];
  return value && /^[\w-]{43}\.[\w-]{43}$/.test(value) ? value : undefined;
}

const nameOf = (request: FastifyRequest, settings: Place) => cookieName(request, settings, 'assay_session');

/** Has the browser keep the secret. */
export function keepRenewal(request: FastifyRequest, reply: FastifyReply, settings: Place, secret: string): void {
  setCookie(request, reply, settings, secret, longestSignIn / 1000);
}

/** Has the browser forget the secret. */
export function dropRenewal(request: FastifyRequest, reply: FastifyReply, settings: Place): void {
  setCookie(request, reply, settings, '', 0);
}

function setCookie(request: FastifyRequest, reply: FastifyReply, settings: Place, value: string, maxAge: number): void {
  const secure = isEncrypted(request, settings);
  reply.setCookie(nameOf(request, settings), value, { path, maxAge, secure, httpOnly: true, sameSite: 'strict' });
}

/** Cookies are shared by the ports of a host: each program there has a name of its own. */
export function cookieName(request: FastifyRequest, settings: Place, name: string): string {
  const { port } = new URL(settings.publicUrl);
  const own = port === '' ? name : `${name}_${port}`;
  return isEncrypted(request, settings) ? `__Secure-${own}` : own;
}

/** Without encryption a browser keeps no cookie that is Secure. */
export function isEncrypted(request: FastifyRequest, settings: Place): boolean {
  return settings.publicUrl.startsWith('https:') || request.protocol === 'https';
}

function hostOf(origin: string): string | undefined {
  return URL.canParse(origin) ? new URL(origin).host.toLowerCase() : undefined;
}
