import { passwordFormProblem, passwordParts, type PasswordPart } from '../../engine/passwords/check';
import { passwordMessage, strongPasswordLength, type PasswordPolicy } from '../../engine/passwords/rule';
import { pageMeta } from '../brand/pageMeta';
import { strengthProblem } from './useStrength';

/** The policy of the installation, which the server writes into its page. */
function passwordPolicy(): PasswordPolicy {
  return pageMeta('password-policy') === 'strong' ? 'strong' : 'rule';
}

/** The installation's requirements for new passwords. */
export function passwordHint(): string {
  return passwordPolicy() === 'rule'
    ? passwordMessage
    : `At least ${strongPasswordLength} characters, and hard to guess.`;
}

/** Everything that the installation asks of a new password by its form; nothing until something is typed. */
export function partsOfPassword(password: string): PasswordPart[] {
  return password === '' ? [] : passwordParts(password, passwordPolicy());
}

/** The missing parts of a new password, as a sentence; undefined if it has everything, or if nothing is typed. */
export function missingWords(parts: readonly PasswordPart[]): string | undefined {
  const missingParts = parts.flatMap(({ words, isMet }) => (isMet ? [] : [words]));
  const last = missingParts.pop();
  if (last === undefined) return undefined;
  return `Still needed: ${missingParts.length === 0 ? last : `${missingParts.join(', ')} and ${last}`}.`;
}

/**
 * Why the server will refuse a new password, as far as the browser knows; undefined if it knows of nothing. `personal`
 * is data about its owner, which is guessed first.
 *
 * @example newPasswordProblem('summer2025'); // 'Password:8+ chars,1 upper,1 lower,1 digit,1 special.'
 */
export function newPasswordProblem(password: string, personal: readonly string[] = []): string | undefined {
  const policy = passwordPolicy();
  return (
    passwordFormProblem(password, policy) ?? (policy === 'strong' ? strengthProblem(password, personal) : undefined)
  );
}
