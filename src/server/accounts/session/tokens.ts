import { createHash, hash, randomBytes } from 'node:crypto';

/**
 * Generates a token: 256 random bits as 43 letters, digits, `-` and `_`. It carries no information and is never stored.
 */
export function newToken(): string {
  return randomBytes(32).toString('base64url');
}

/** The hash of a token for storage. Fast hashing is enough: 256 random bits cannot be guessed. */
export function hashToken(token: string): Buffer {
  return createHash('sha256').update(token).digest();
}

/** The same hash as text, for in-memory lookups on every request; faster than a buffer. */
export function hashTokenText(token: string): string {
  return hash('sha256', token, 'base64url');
}

/** The prefix of service accounts' tokens, by which people and secret scanners recognise them. */
export const serviceTokenPrefix = 'assay_';

const bearer = new RegExp(`^bearer +((?:${serviceTokenPrefix})?[\\w-]{43}) *$`, 'i');

/** The token of an `Authorization: Bearer …` header, of a sign-in or a service account; undefined if malformed. */
export function parseBearerToken(header: string | undefined): string | undefined {
  return bearer.exec(header ?? '')?.[1];
}
