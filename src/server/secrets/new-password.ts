import { Invalid } from '../errors/errors';
import { hashPassword } from './passwords';

/** Personal data of the user, which attackers guess first. */
export type PersonalData = readonly (string | null | undefined)[];

/** Whether demo data is loaded, and the password of its accounts. */
interface DemoSetting {
  readonly settings: { readonly demo: boolean };
  readonly product: { readonly demoData?: { readonly password: string } };
}

/**
 * Why a password is too weak, as a message; undefined if it is fine. Loads the strength check on first use. With demo
 * data, the well-known demo password is allowed for any account.
 */
export async function passwordProblem(
  { settings, product }: DemoSetting,
  text: string,
  personal: PersonalData,
): Promise<string | undefined> {
  if (settings.demo && text === product.demoData?.password) return undefined;
  const { measurePassword } = await import('../../engine/passwords/strength');
  return measurePassword(
    text,
    personal.filter((one) => typeof one === 'string'),
  ).problem;
}

/** Checks and hashes a new password. Throws Invalid on the field if it is too easy to guess. */
export async function hashNewPassword(
  place: DemoSetting,
  field: string,
  text: string,
  personal: PersonalData,
): Promise<string> {
  const fault = await passwordProblem(place, text, personal);
  if (fault !== undefined) throw new Invalid({ [field]: fault });
  return hashPassword(text);
}
