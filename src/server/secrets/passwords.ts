import { randomBytes } from 'node:crypto';
import { createConcurrencyLimit } from './concurrency-limit';

/** argon2id (the library's default) at the cost that OWASP recommends: 19 MiB, two passes. */
const cost = { memoryCost: 19_456, timeCost: 2, parallelism: 1 };

/** The library is loaded with the first password. */
const loadLibrary = () => import('@node-rs/argon2');

// Hashing runs on libuv's four threads, which file access and DNS lookups share: sign-ins get two of them.
const limitConcurrency = createConcurrencyLimit(2);

/**
 * Hashes a password with a salt, as text that includes its own cost. Takes some 30 ms, off the event loop. The same
 * characters typed on another keyboard can be different bytes, so they are normalised (NFKC) first.
 */
export function hashPassword(text: string): Promise<string> {
  return limitConcurrency(async () => (await loadLibrary()).hash(text.normalize('NFKC'), cost));
}

/** Whether a password matches a stored hash. An unreadable hash matches none. */
export async function verifyPassword(storedHash: string, text: string): Promise<boolean> {
  const normal = text.normalize('NFKC');
  const verifies = (hash: string) =>
    limitConcurrency(async () => (await loadLibrary()).verify(storedHash, hash).catch(() => false));
  // Older versions hashed the text as typed.
  return (await verifies(normal)) || (normal !== text && (await verifies(text)));
}

/** Verifies a password where there may be no hash at all. */
export type Verifier = (stored: string | null | undefined, text: string) => Promise<boolean>;

/**
 * Creates a verifier that takes the same time for an account without a password, or without an account, as for a wrong
 * password.
 */
export function createVerifier(): Verifier {
  let decoy: Promise<string> | undefined;
  return async (storedHash, text) => {
    // Made by the first call, which takes longer therefore, whether there is a password or not.
    const decoyHash = await (decoy ??= hashPassword(randomBytes(24).toString('base64')));
    const matches = await verifyPassword(storedHash ?? decoyHash, text);
    return matches && Boolean(storedHash);
  };
}
