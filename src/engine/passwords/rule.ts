/** The fewest and the most characters of a password, after normalisation. */
export const minPasswordLength = 8;
export const maxPasswordLength = 256;

/** Shown for a password that does not follow the rule. */
export const passwordMessage = 'Password:8+ chars,1 upper,1 lower,1 digit,1 special.';

/** The mix of characters that the message asks for, in any script. */
const mixedCharacters = /^(?=.*\p{Lu})(?=.*\p{Ll})(?=.*\d)(?=.*[^\p{L}\p{N}\s])/su;

/** Which passwords are accepted: those that follow the rule, or long ones that are hard to guess. */
export const passwordPolicies = ['rule', 'strong'] as const;
export type PasswordPolicy = (typeof passwordPolicies)[number];

/**
 * Why a password does not follow the rule, as a message; undefined if it does.
 *
 * @example passwordRuleProblem('Summer#2025'); // undefined
 */
export function passwordRuleProblem(password: string): string | undefined {
  const text = password.normalize('NFKC');
  const length = [...text].length;
  if (length > maxPasswordLength) return `A password must have at most ${maxPasswordLength} characters.`;
  return length >= minPasswordLength && mixedCharacters.test(text) ? undefined : passwordMessage;
}
