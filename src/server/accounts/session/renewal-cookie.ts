import cookies from '@fastify/cookie';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { Forbidden } from '../../errors/errors';
import type { Settings } from '../../settings/settings';
import { maxSignInAge } from './sign-ins';

/** The cookie is sent only to this path. */
const path = '/api/session';
/** The header that requests a renewable sign-in and is required to renew it: forms of other sites cannot send it. */
const sessionHeader = 'x-session';

/** Enables cookies for all routes registered on `app` after this call. */
export async function registerCookies(app: FastifyInstance): Promise<void> {
  await app.register(cookies, { hook: false });
}

type PublicUrlSetting = Pick<Settings, 'publicUrl'>;

/** Whether a request comes from the browser application, which uses short-lived tokens and renews them. */
export function wantsRenewable(request: FastifyRequest): boolean {
  return request.headers[sessionHeader] === 'renewable';
}

/**
 * Throws Forbidden for a request that may be forged by another site: without the header, or with an origin that is
 * neither the public URL nor the requested host.
 */
export function assertSameSite(request: FastifyRequest, settings: PublicUrlSetting): void {
  const { origin } = request.headers;
  const isSameOrigin =
    origin === undefined || origin === settings.publicUrl || hostOf(origin) === request.host.toLowerCase();
  if (wantsRenewable(request) && isSameOrigin) return;
  throw new Forbidden('Only the pages of this installation can renew a session.');
}

/** The secret in the cookie of a request; undefined without a cookie. */
export function readRenewalCookie(request: FastifyRequest, settings: PublicUrlSetting): string | undefined {
  const value = request.server.parseCookie(request.headers.cookie ?? '')[renewalCookieName(request, settings)];
  return value && /^[\w-]{43}\.[\w-]{43}$/.test(value) ? value : undefined;
}

const renewalCookieName = (request: FastifyRequest, settings: PublicUrlSetting) =>
  cookieName(request, settings, 'assay_session');

/** Sets the cookie. */
export function setRenewalCookie(
  request: FastifyRequest,
  reply: FastifyReply,
  settings: PublicUrlSetting,
  secret: string,
): void {
  setCookie(request, reply, settings, secret, maxSignInAge / 1000);
}

/** Deletes the cookie. */
export function clearRenewalCookie(request: FastifyRequest, reply: FastifyReply, settings: PublicUrlSetting): void {
  setCookie(request, reply, settings, '', 0);
}

function setCookie(
  request: FastifyRequest,
  reply: FastifyReply,
  settings: PublicUrlSetting,
  value: string,
  maxAge: number,
): void {
  const secure = isEncrypted(request, settings);
  reply.setCookie(renewalCookieName(request, settings), value, {
    path,
    maxAge,
    secure,
    httpOnly: true,
    sameSite: 'strict',
  });
}

/** The name of a cookie. Cookies are shared by all ports of a host, so the name contains the port. */
export function cookieName(request: FastifyRequest, settings: PublicUrlSetting, name: string): string {
  const { port } = new URL(settings.publicUrl);
  const scopedName = port === '' ? name : `${name}_${port}`;
  return isEncrypted(request, settings) ? `__Secure-${scopedName}` : scopedName;
}

/** Whether the connection is encrypted. Without encryption, browsers reject Secure cookies. */
export function isEncrypted(request: FastifyRequest, settings: PublicUrlSetting): boolean {
  return settings.publicUrl.startsWith('https:') || request.protocol === 'https';
}

function hostOf(origin: string): string | undefined {
  return URL.canParse(origin) ? new URL(origin).host.toLowerCase() : undefined;
}
