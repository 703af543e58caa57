import type { Actor } from '../../../engine/access/actor';
import { Forbidden } from '../../errors/errors';

/** How long credentials and permissions may be changed after confirming your identity, in milliseconds. */
export const confirmationLifetime = 10 * 60_000;

/** When the user behind an actor last confirmed their identity. There is a separate actor object for every token. */
const confirmations = new WeakMap<Actor, number>();

/** Records when the user behind an actor last confirmed their identity, in milliseconds since 1970. */
export function recordConfirmation(actor: Actor, provenAt: number): void {
  confirmations.set(actor, provenAt);
}

/**
 * Until when an actor's confirmation is valid, in milliseconds since 1970; undefined if there is none or it has
 * expired.
 */
export function confirmedUntil(actor: Actor): number | undefined {
  const confirmationEnd = (confirmations.get(actor) ?? 0) + confirmationLifetime;
  return confirmationEnd > Date.now() ? confirmationEnd : undefined;
}

/**
 * Throws Forbidden (PROOF_REQUIRED) unless the user confirmed their identity within the last ten minutes, by signing in
 * or by `POST me/proof`. Call it with the actor of the request before changing credentials, second factors, tokens,
 * roles, permissions or the settings of single sign-on: a stolen token is not enough for these.
 */
export function assertRecentlyConfirmed(actor: Actor): void {
  if (confirmedUntil(actor) !== undefined) return;
  throw new Forbidden(
    'Please confirm your identity first: you can change this for ten minutes afterwards.',
    'PROOF_REQUIRED',
  );
}
