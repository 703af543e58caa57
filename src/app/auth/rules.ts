import { longestPassword, passwordMessage, shortestPassword } from '../../engine/passwords/rule';

export { passwordMessage };

/** Says what is wrong with a value, knowing the whole form; undefined when nothing is. */
export type Check<Name extends string = string> = (
  value: string,
  values: Readonly<Record<Name, string>>,
) => string | undefined;

/** A value must be there. */
export const required =
  (label: string): Check =>
  (value) =>
    value.trim() === '' ? `${label} is required.` : undefined;

/** An e-mail address, as far as its shape can tell. */
export const email: Check = (value) =>
  /^[^\s@]+@[^\s@]+\.[^\s@]+$/.test(value.trim())
    ? undefined
    : 'Email must be an email address such as name@example.com.';

/** A password as somebody may have one. How hard a new one is to guess is shown as it is typed, and judged by the server. */
export const password: Check = (value) => {
  const length = [...value.normalize('NFKC')].length;
  return length >= shortestPassword && length <= longestPassword ? undefined : passwordMessage;
};

/** What belongs to whoever fills a form in, and is guessed first. */
export function personalValues(values: Readonly<Record<string, string>>): string[] {
  return ['first_name', 'last_name', 'site_name', 'email'].flatMap((name) => values[name] || []);
}

/** Letters and digits, nothing else. */
export const lettersAndDigits: Check = (value) =>
  /^[a-z\d]+$/i.test(value.trim()) ? undefined : 'Only letters and digits are allowed.';

/** At most so many characters. */
export const atMost =
  (label: string, length: number): Check =>
  (value) =>
    value.trim().length > length ? `${label} must have at most ${length} characters.` : undefined;

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
