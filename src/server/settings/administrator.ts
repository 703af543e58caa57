import { isMailbox } from './addresses';
import { type Environment, readText } from './read-value';
import { SettingsError } from './settings-error';

/** The first administrator of an installation without demo data. */
export interface Administrator {
  email: string;
  password: string;
}

// The strength of the password is checked when the administrator is created, which loads more code than needed here.
const PASSWORD_RULES = [/^.{8,256}$/su, /\p{Lu}|^.{12}/su, /\p{Ll}|^.{12}/su, /\d|^.{12}/su, /[^\p{L}\d\s]|^.{12}/su];

/** Reads ADMIN_EMAIL and ADMIN_PASSWORD: both or neither. */
export function readAdministrator(env: Environment): Administrator | undefined {
  const email = readText(env, 'ADMIN_EMAIL');
  // A password may begin or end with a space.
  const password = env.ADMIN_PASSWORD || undefined;
  if (email === undefined && password === undefined) return undefined;
  if (email === undefined) throw new SettingsError('ADMIN_EMAIL', 'must be set together with ADMIN_PASSWORD');
  if (password === undefined) throw new SettingsError('ADMIN_PASSWORD', 'must be set together with ADMIN_EMAIL');
  if (!isMailbox(email)) throw new SettingsError('ADMIN_EMAIL', 'must be an email address');
  if (!PASSWORD_RULES.every((rule) => rule.test(password))) {
    throw new SettingsError(
      'ADMIN_PASSWORD',
      'must have 12 to 256 characters, or at least 8 with an upper-case letter, a lower-case letter, a digit and a special character',
    );
  }
  return { email, password };
}
