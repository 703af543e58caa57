import { passwordFormProblem } from '../../engine/passwords/check';
import type { PasswordPolicy } from '../../engine/passwords/rule';
import { isMailbox } from './addresses';
import { type Environment, readText } from './read-value';
import { SettingsError } from './settings-error';

/** The first administrator of an installation without demo data. */
export interface Administrator {
  email: string;
  password: string;
}

/**
 * Reads ADMIN_EMAIL and ADMIN_PASSWORD: both or neither. How strong the password is shows when the administrator is
 * created, which loads more code than needed here.
 */
export function readAdministrator(env: Environment, policy: PasswordPolicy): Administrator | undefined {
  const email = readText(env, 'ADMIN_EMAIL');
  // A password may begin or end with a space.
  const password = env.ADMIN_PASSWORD || undefined;
  if (email === undefined && password === undefined) return undefined;
  if (email === undefined) throw new SettingsError('ADMIN_EMAIL', 'must be set together with ADMIN_PASSWORD');
  if (password === undefined) throw new SettingsError('ADMIN_PASSWORD', 'must be set together with ADMIN_EMAIL');
  if (!isMailbox(email)) throw new SettingsError('ADMIN_EMAIL', 'must be an email address');
  if (policy === 'rule' && passwordFormProblem(password, policy) !== undefined) {
    throw new SettingsError(
      'ADMIN_PASSWORD',
      'must have 8 to 256 characters with an upper-case letter, a lower-case letter, a digit and a special character',
    );
  }
  if (passwordFormProblem(password, policy) !== undefined)
    throw new SettingsError('ADMIN_PASSWORD', 'must have 12 to 256 characters, since PASSWORD_POLICY is strong');
  return { email, password };
}
