import { demoPassword } from '../domain/demo/accounts';
import { Invalid } from '../errors/errors';
import type { Settings } from '../settings/settings';
import { hashPassword } from './passwords';

/** Personal data of the user, which attackers guess first. */
export type Personal = readonly (string | null | undefined)[];

type Place = { readonly settings: Pick<Settings, 'demo'> };

/**
 * Why a password is too weak, as a message; undefined if it is fine. Loads the strength check on first use. With demo
 * data, the well-known demo password is allowed for any account.
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

/** Checks and hashes a new password. Throws Invalid on the field if it is too easy to guess. */
export async function hashChosen(place: Place, field: string, text: string, personal: Personal): Promise<string> {
  const fault = await passwordFault(place, text, personal);
  if (fault !== undefined) throw new Invalid({ [field]: fault });
  return hashPassword(text);
}
