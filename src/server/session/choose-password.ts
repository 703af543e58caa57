import { demoPassword } from '../domain/demo/accounts';
import { Invalid } from '../errors/errors';
import type { Settings } from '../settings/settings';
import { hashPassword } from './passwords';

/** Whose password it is, as far as it is known: what somebody who guesses tries first. */
export type Personal = readonly (string | null | undefined)[];

type Place = { readonly settings: Pick<Settings, 'demo'> };

/**
 * Why a password cannot be chosen, in words; undefined where it can. Loads what it measures with when it is first asked.
 * On demo data everybody knows the password of its accounts, and may give it to further ones.
 */
export async function passwordFault(
  { settings }: Place,
  text: string,
  personal: Personal,
): Promise<string | undefined> {
  if (settings.demo && text === demoPassword) return undefined;
  const { strengthOf } = await import('../../engine/passwords/strength');
  return strengthOf(
    text,
    personal.filter((one) => typeof one === 'string'),
  ).fault;
}

/** The hash of a password that somebody chooses. Throws Invalid on the field where it is too easy to guess. */
export async function hashChosen(place: Place, field: string, text: string, personal: Personal): Promise<string> {
  const fault = await passwordFault(place, text, personal);
  if (fault !== undefined) throw new Invalid({ [field]: fault });
  return hashPassword(text);
}
