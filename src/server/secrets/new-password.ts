import { passwordFormProblem } from '../../engine/passwords/check';
import type { PasswordPolicy } from '../../engine/passwords/rule';
import { Invalid } from '../errors/errors';
import { hashPassword } from './passwords';

/** Personal data of the user, which attackers guess first. */
export type PersonalData = readonly (string | null | undefined)[];

/** Which passwords are accepted, whether demo data is loaded, and the password of its accounts. */
interface PasswordSettings {
  readonly settings: { readonly demo: boolean; readonly passwordPolicy: PasswordPolicy };
  readonly product: { readonly demoData?: { readonly password: string } };
}

/**
 * Why a password is not accepted, as a message; undefined if it is. Where strong ones are required, the strength check is
 * loaded on first use. With demo data, the well-known demo password is allowed for any account.
 */
export async function passwordProblem(
  { settings, product }: PasswordSettings,
  text: string,
  personal: PersonalData,
): Promise<string | undefined> {
  if (settings.demo && text === product.demoData?.password) return undefined;
  if (settings.passwordPolicy === 'rule') return passwordFormProblem(text, 'rule');
  const { measurePassword } = await import('../../engine/passwords/strength');
  return measurePassword(
    text,
    personal.filter((personalValue) => typeof personalValue === 'string'),
  ).problem;
}

/** Checks and hashes a new password. Throws Invalid on the field if it is not accepted. */
export async function hashNewPassword(
  settings: PasswordSettings,
  field: string,
  text: string,
  personal: PersonalData,
): Promise<string> {
  const fault = await passwordProblem(settings, text, personal);
  if (fault !== undefined) throw new Invalid({ [field]: fault });
  return hashPassword(text);
}
