import { passwordMessage, passwordPattern } from '../../engine/field-types/password';

export { passwordMessage };

/** Says what is wrong with a value, knowing the whole form; undefined when nothing is. */
export type Check<Name extends string = string> = (
  value: string,
  values: Readonly<Record<Name, string>>,
) => string | undefined;

const passwordRule = new RegExp(passwordPattern, 'u');

/** A value must be there. */
export const required =
  (label: string): Check =>
  (value) =>
    value.trim() === '' ? `${label} is required.` : undefined;

/** An e-mail address, as far as its shape can tell. */
export const email: Check = (value) =>
  /^[^\s@]+@[^\s@]+\.[^\s@]+$/.test(value.trim())
    ? undefined
    : 'Email must be an e-mail address such as name@example.com.';

/** The rule for every password: 8 characters with an upper-case letter, a lower-case one, a digit and a special one. */
export const password: Check = (value) => (passwordRule.test(value) ? undefined : passwordMessage);

/** Letters and digits, nothing else. */
export const lettersAndDigits: Check = (value) =>
  /^[a-z\d]+$/i.test(value.trim()) ? undefined : 'Only letters and digits are allowed.';

/** At most so many characters. */
export const atMost =
  (label: string, length: number): Check =>
  (value) =>
    value.trim().length > length ? `${label} may have at most ${length} characters.` : undefined;

/** The same as another field of the form. */
export const sameAs =
  (other: string, message: string): Check =>
  (value, values) =>
    value === values[other] ? undefined : message;

/** The first complaint of several checks. */
export const all =
  (...checks: Check[]): Check =>
  (value, values) => {
    for (const check of checks) {
      const complaint = check(value, values);
      if (complaint) return complaint;
    }
    return undefined;
  };
