import { createHmac, timingSafeEqual } from 'node:crypto';

/** URLs change only this often (milliseconds), so that browsers can use their cache. */
const expiryStep = 10 * 60_000;

/** A signed URL path of a file, valid for 10 to 20 minutes from `now`. */
export function signFileUrl(secret: Buffer, key: string, now: number): string {
  const expires = (Math.floor(now / expiryStep) + 2) * expiryStep;
  return `/api/files/${key}?expires=${expires}&signature=${signature(secret, key, expires)}`;
}

/** Verifies a URL of a file: `expired` if its signature is valid but too old, `foreign` if it is invalid. */
export function verifyFileUrl(
  secret: Buffer,
  key: string,
  query: Readonly<Record<string, unknown>>,
  now: number,
): 'good' | 'expired' | 'foreign' {
  const expires = Number(query.expires);
  const givenSignature = Buffer.from(typeof query.signature === 'string' ? query.signature : '');
  const right = Buffer.from(signature(secret, key, expires));
  if (givenSignature.length !== right.length || !timingSafeEqual(givenSignature, right)) return 'foreign';
  return expires > now ? 'good' : 'expired';
}

function signature(secret: Buffer, key: string, expires: number): string {
  return createHmac('sha256', secret).update(`${key}\n${expires}`).digest('base64url');
}
