import type { FastifyReply, FastifyRequest } from 'fastify';
import type { Program } from '../../program';
import { cookieName, isEncrypted } from '../session/renewal-cookie';
import { hashToken, newToken } from '../session/tokens';
import { onEngineTables } from '../../database/engine-tables';

const days = 30;
const lifetime = days * 24 * 60 * 60;
/** The cookie is sent only to sign-in routes. */
const path = '/api/login';

/** Marks the browser as trusted: for 30 days the second step is skipped there. */
export async function trustDevice(
  { database, settings }: Program,
  request: FastifyRequest,
  reply: FastifyReply,
  userId: number,
): Promise<void> {
  const secret = newToken();
  const now = new Date();
  await onEngineTables(database.kysely)
    .with('old', (assay) =>
      assay.deleteFrom('trusted_devices').where('user_id', '=', userId).where('expires_at', '<', now.toISOString()),
    )
    .insertInto('trusted_devices')
    .values({ hash: hashToken(secret), user_id: userId, expires_at: new Date(now.getTime() + lifetime * 1000) })
    .execute();
  const secure = isEncrypted(request, settings);
  reply.setCookie(deviceCookieName(request, settings, userId), secret, {
    path,
    maxAge: lifetime,
    secure,
    httpOnly: true,
    sameSite: 'strict',
  });
}

/** Whether a request comes from a browser that the user trusts. */
export async function isTrustedDevice(
  { database, settings }: Program,
  request: FastifyRequest,
  userId: number,
): Promise<boolean> {
  const secret = request.server.parseCookie?.(request.headers.cookie ?? '')[
    deviceCookieName(request, settings, userId)
  ];
  if (!secret) return false;
  const trustedDevice = await onEngineTables(database.kysely)
    .selectFrom('trusted_devices')
    .select('user_id')
    .where('hash', '=', hashToken(secret))
    .where('user_id', '=', userId)
    .where('expires_at', '>', new Date().toISOString())
    .executeTakeFirst();
  return trustedDevice !== undefined;
}

/** Several users may share a browser: each has a separate cookie. */
function deviceCookieName(request: FastifyRequest, settings: Program['settings'], userId: number): string {
  return `${cookieName(request, settings, 'assay_device')}_${userId}`;
}
