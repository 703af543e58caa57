import type { FastifyReply, FastifyRequest } from 'fastify';
import { sql } from 'kysely';
import type { Program } from '../../program';
import { cookieName, isEncrypted } from '../session/renewal-cookie';
import { hashToken, newToken } from '../session/tokens';

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
  await sql`with old as (delete from assay.trusted_devices where user_id = ${userId} and expires_at < ${new Date()})
    insert into assay.trusted_devices (hash, user_id, expires_at)
    values (${hashToken(secret)}, ${userId}, ${new Date(Date.now() + lifetime * 1000)})`.execute(database.kysely);
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
  const { rows } = await sql`select 1 from assay.trusted_devices
    where hash = ${hashToken(secret)} and user_id = ${userId} and expires_at > ${new Date()}`.execute(database.kysely);
  return rows.length > 0;
}

/** Several users may share a browser: each has a separate cookie. */
function deviceCookieName(request: FastifyRequest, settings: Program['settings'], userId: number): string {
  return `${cookieName(request, settings, 'assay_device')}_${userId}`;
}
