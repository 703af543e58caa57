/** Says what is wrong with a value, knowing the whole form; undefined when nothing is. */
export type Check<Name extends string = string> = (
  value: string,
  values: Readonly<Record<Name, string>>,
) => string | undefined;

export const passwordMessage = 'Password:8+ chars,1 upper,1 lower,1 digit,1 special.';

/** A value must be there. */
export const required =
  (label: string): Check =>
  (value) =>
    value.trim() === '' ? `${label} is required.` : undefined;

/** An e-mail address, as far as its shape can tell. */
export const email: Check = (value) =>
  /^[^\s@]+@[^\s@]+\.[^\s@]+$/.test(value.trim()) ? undefined : 'Enter a valid email address.';

/** At least 8 characters with an upper-case letter, a lower-case letter, a digit and a special character. */
export const password: Check = (value) => {
  const parts = [/^.{8,}$/su, /\p{Lu}/u, /\p{Ll}/u, /\d/, /[^\p{L}\p{N}\s]/u];
  return parts.every((part) => part.test(value)) ? undefined : passwordMessage;
};

/** Letters and digits, nothing else. */
export const lettersAndDigits: Check = (value) =>
  /^[a-z\d]+$/i.test(value.trim()) ? undefined : 'Only letters and digits are allowed.';

/** At most so many characters. */
export const atMost =
  (length: number): Check =>
  (value) =>
    value.trim().length > length ? `At most ${length} characters are allowed.` : undefined;

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
