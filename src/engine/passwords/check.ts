import {
  maxPasswordLength,
  minPasswordLength,
  passwordMessage,
  strongPasswordLength,
  type PasswordPolicy,
} from './rule';

/** The mix of characters that the message asks for, in any script. */
const mixedCharacters: readonly { readonly words: string; readonly pattern: RegExp }[] = [
  { words: 'an upper-case letter', pattern: /\p{Lu}/u },
  { words: 'a lower-case letter', pattern: /\p{Ll}/u },
  { words: 'a digit', pattern: /\d/ },
  { words: 'a special character', pattern: /[^\p{L}\p{N}\s]/u },
];

/** Something that a policy asks of a password, in words, and whether a password has it. */
export interface PasswordPart {
  readonly words: string;
  readonly isMet: boolean;
}

/**
 * Everything that a policy asks of a password by its form, in the order of its message. How hard it is to guess is measured elsewhere.
 *
 * @example passwordParts('summer2025', 'rule')[1]; // { words: 'an upper-case letter', isMet: false }
 */
export function passwordParts(password: string, policy: PasswordPolicy): PasswordPart[] {
  const text = password.normalize('NFKC');
  const fewest = policy === 'rule' ? minPasswordLength : strongPasswordLength;
  const characters = { words: `at least ${fewest} characters`, isMet: [...text].length >= fewest };
  if (policy === 'strong') return [characters];
  return [characters, ...mixedCharacters.map(({ words, pattern }) => ({ words, isMet: pattern.test(text) }))];
}

/**
 * Why a password does not have the form that a policy asks for, as a message; undefined if it does.
 *
 * @example passwordFormProblem('Summer#2025', 'rule'); // undefined
 */
export function passwordFormProblem(password: string, policy: PasswordPolicy): string | undefined {
  if ([...password.normalize('NFKC')].length > maxPasswordLength)
    return `A password must have at most ${maxPasswordLength} characters.`;
  if (passwordParts(password, policy).every(({ isMet }) => isMet)) return undefined;
  return policy === 'rule' ? passwordMessage : `A password must have at least ${strongPasswordLength} characters.`;
}
