import { createHash, hash, randomBytes } from 'node:crypto';

/** A new token: 256 random bits as 43 letters, digits, `-` and `_`. It means nothing and is never stored. */
export function newToken(): string {
  return randomBytes(32).toString('base64url');
}

/** What is stored of a token. Fast hashing will do: there is nothing to guess in 256 random bits. */
export function hashToken(token: string): Buffer {
  return createHash('sha256').update(token).digest();
}

/** The same hash as text, for looking it up in memory: what a request does each time, and quicker than a buffer. */
export function hashedText(token: string): string {
  return hash('sha256', token, 'base64url');
}

/** The token of an `Authorization: Bearer …` header; undefined for anything that cannot be one. */
export function bearerOf(header: string | undefined): string | undefined {
  return /^bearer +([\w-]{43}) *$/i.exec(header ?? '')?.[1];
}
