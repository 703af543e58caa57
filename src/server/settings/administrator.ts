import { isMailbox } from './addresses';
import { type Environment, readText } from './read-value';
import { SettingsError } from './settings-error';

/** The first administrator of an installation without demo data. */
export interface Administrator {
  email: string;
  password: string;
}

// How hard it is to guess is measured when the administrator is made: here nothing is loaded for it.
const PASSWORD_RULES = [/^.{8,256}$/su, /\p{Lu}|^.{12}/su, /\p{Ll}|^.{12}/su, /\d|^.{12}/su, /[^\p{L}\d\s]|^.{12}/su];

/** ADMIN_EMAIL and ADMIN_PASSWORD: both or neither. */
export function readAdministrator(env: Environment): Administrator | undefined {
  const email = readText(env, 'ADMIN_EMAIL');
  // A blank at either end of a password is part of it.
  const password = env.ADMIN_PASSWORD || undefined;
  if (email === undefined && password === undefined) return undefined;
  if (email === undefined) throw new SettingsError('ADMIN_EMAIL', 'must be set together with ADMIN_PASSWORD');
  if (password === undefined) throw new SettingsError('ADMIN_PASSWORD', 'must be set together with ADMIN_EMAIL');
  if (!isMailbox(email)) throw new SettingsError('ADMIN_EMAIL', 'must be an e-mail address');
  if (!PASSWORD_RULES.every((rule) => rule.test(password))) {
    throw new SettingsError(
      'ADMIN_PASSWORD',
      'must have 12 to 256 characters, or 8 and more with an upper, a lower, a digit and a special one',
    );
  }
  return { email, password };
}
