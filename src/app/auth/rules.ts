import { maxPasswordLength, passwordMessage, minPasswordLength } from '../../engine/passwords/rule';

/** Returns what is wrong with a value, given all values of the form; undefined if it is valid. */
export type Check<Name extends string = string> = (
  value: string,
  values: Readonly<Record<Name, string>>,
) => string | undefined;

/** The value must not be empty. */
export const required =
  (label: string): Check =>
  (value) =>
    value.trim() === '' ? `${label} is required.` : undefined;

/** An email address, judged by its format. */
export const email: Check = (value) =>
  /^[^\s@]+@[^\s@]+\.[^\s@]+$/.test(value.trim())
    ? undefined
    : 'Email must be an email address such as name@example.com.';

/** A password of valid length: one that was set under older rules is accepted for signing in. */
export const password: Check = (value) => {
  const length = [...value.normalize('NFKC')].length;
  return length >= minPasswordLength && length <= maxPasswordLength ? undefined : passwordMessage;
};

/** Personal values of the form, which a password must not be easy to derive from. */
export function personalValues(values: Readonly<Record<string, string>>): string[] {
  return ['first_name', 'last_name', 'site_name', 'email'].flatMap((name) => values[name] || []);
}

/** Letters and digits, nothing else. */
export const lettersAndDigits: Check = (value) =>
  /^[a-z\d]+$/i.test(value.trim()) ? undefined : 'Only letters and digits are allowed.';

/** At most so many characters. */
export const maxLength =
  (label: string, length: number): Check =>
  (value) =>
    value.trim().length > length ? `${label} must have at most ${length} characters.` : undefined;

/** Equal to another field of the form. */
export const sameAs =
  (otherName: string, message: string): Check =>
  (value, values) =>
    value === values[otherName] ? undefined : message;

/** Returns the first error of several checks. */
export const firstError =
  (...checks: Check[]): Check =>
  (value, values) => {
    for (const check of checks) {
      const error = check(value, values);
      if (error) return error;
    }
    return undefined;
  };
