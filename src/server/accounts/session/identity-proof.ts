import type { Actor } from '../../../engine/access/actor';
import { Forbidden } from '../../errors/errors';

/** How long credentials and permissions may be changed after a proof of identity, in milliseconds. */
export const proofLifetime = 10 * 60_000;

/** When the user behind an actor last proved their identity. There is a separate actor object for every token. */
const proofs = new WeakMap<Actor, number>();

/** Records when the user behind an actor last proved their identity, in milliseconds since 1970. */
export function recordProof(actor: Actor, provenAt: number): void {
  proofs.set(actor, provenAt);
}

/**
 * Until when an actor's proof of identity is valid, in milliseconds since 1970; undefined if there is none or it has
 * expired.
 */
export function provenUntil(actor: Actor): number | undefined {
  const proofEnd = (proofs.get(actor) ?? 0) + proofLifetime;
  return proofEnd > Date.now() ? proofEnd : undefined;
}

/**
 * Throws Forbidden (PROOF_REQUIRED) unless the user proved their identity within the last ten minutes, by signing in
 * or by `POST me/proof`. Call it with the actor of the request before changing credentials, second factors, tokens,
 * roles, permissions or the settings of single sign-on: a stolen token is not enough for these.
 */
export function assertRecentProof(actor: Actor): void {
  if (provenUntil(actor) !== undefined) return;
  throw new Forbidden(
    'Please confirm your identity first: you can change this for ten minutes afterwards.',
    'PROOF_REQUIRED',
  );
}
