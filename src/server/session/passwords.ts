import { hash, verify } from '@node-rs/argon2';
import { randomBytes } from 'node:crypto';
import { createTurns } from './turns';

/** argon2id (the library's default) at the cost that OWASP advises: 19 MiB, two passes. */
const cost = { memoryCost: 19_456, timeCost: 2, parallelism: 1 };

// The work happens on libuv's four threads, which files and name look-ups share: a crowd at the door gets two of them.
const takeTurn = createTurns(2);

/**
 * The hash of a password, salted, as text that names its own cost. Takes some 30 ms, off the event loop. The same signs
 * typed on another keyboard are other bytes sometimes, so they are brought to one form (NFKC) first.
 */
export function hashPassword(text: string): Promise<string> {
  return takeTurn(() => hash(text.normalize('NFKC'), cost));
}

/** Whether a password belongs to a stored hash. A hash that cannot be read belongs to none. */
export async function verifyPassword(stored: string, text: string): Promise<boolean> {
  const normal = text.normalize('NFKC');
  const verifies = (one: string) => takeTurn(() => verify(stored, one).catch(() => false));
  // Hashes of former versions were made of the text as it was typed.
  return (await verifies(normal)) || (normal !== text && (await verifies(text)));
}

/** Verifies a password where there may be no hash at all. */
export type Verifier = (stored: string | null | undefined, text: string) => Promise<boolean>;

/** A verifier that takes the same time for an account without a password, or for none, as for a wrong password. */
export async function createVerifier(): Promise<Verifier> {
  const decoy = await hashPassword(randomBytes(24).toString('base64'));
  return async (stored, text) => {
    const matches = await verifyPassword(stored ?? decoy, text);
    return matches && Boolean(stored);
  };
}
