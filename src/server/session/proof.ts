import type { Actor } from '../../engine/access/actor';
import { Refused } from '../errors/errors';

/** Milliseconds for which somebody who proved who they are may change what opens doors. */
export const proofLifetime = 10 * 60_000;

/** When whoever signed in as an actor last proved who they are. An actor is another object for every token. */
const proofs = new WeakMap<Actor, number>();

/** Remembers when the person behind an actor last proved who they are, in milliseconds since 1970. */
export function rememberProof(actor: Actor, provenAt: number): void {
  proofs.set(actor, provenAt);
}

/** Until when an actor's proof is good, in milliseconds since 1970; undefined where there is none (any more). */
export function provenUntil(actor: Actor): number | undefined {
  const until = (proofs.get(actor) ?? 0) + proofLifetime;
  return until > Date.now() ? until : undefined;
}

/**
 * Throws Refused (PROOF_REQUIRED) unless the caller proved who they are within the last ten minutes, by signing in or by
 * `POST me/proof`. To be called before credentials, second factors, tokens, roles, permissions or the settings of
 * single sign-on are changed, with the actor of the request: a token that was stolen is not enough for these.
 */
export function assertRecentProof(actor: Actor): void {
  if (provenUntil(actor) !== undefined) return;
  throw new Refused(
    'Please confirm that it is you first: this can be changed for ten minutes after you did.',
    'PROOF_REQUIRED',
  );
}
