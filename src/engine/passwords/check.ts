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

/**
 * The parts that a password still needs, in words; empty if it has everything that a policy asks for by its form. How hard it is to
 * guess is measured elsewhere.
 *
 * @example missingInPassword('summer2025', 'rule'); // ['an upper-case letter', 'a special character']
 */
export function missingInPassword(password: string, policy: PasswordPolicy): string[] {
  const text = password.normalize('NFKC');
  const fewest = policy === 'rule' ? minPasswordLength : strongPasswordLength;
  const characters = [...text].length < fewest ? [`at least ${fewest} characters`] : [];
  if (policy === 'strong') return characters;
  const kinds = mixedCharacters.filter(({ pattern }) => !pattern.test(text)).map(({ words }) => words);
  return [...characters, ...kinds];
}

/**
 * Why a password does not have the form that a policy asks for, as a message; undefined if it does.
 *
 * @example passwordFormProblem('Summer#2025', 'rule'); // undefined
 */
export function passwordFormProblem(password: string, policy: PasswordPolicy): string | undefined {
  if ([...password.normalize('NFKC')].length > maxPasswordLength)
    return `A password must have at most ${maxPasswordLength} characters.`;
  if (missingInPassword(password, policy).length === 0) return undefined;
  return policy === 'rule' ? passwordMessage : `A password must have at least ${strongPasswordLength} characters.`;
}
