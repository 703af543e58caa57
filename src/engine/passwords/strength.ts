import { ZxcvbnFactory } from '@zxcvbn-ts/core';
import { adjacencyGraphs, dictionary } from '@zxcvbn-ts/language-common';
import { passwordFormProblem } from './check';
import { maxPasswordLength, minPasswordLength } from './rule';

/** How hard a password is to guess, and why an installation that requires strong ones refuses it, if so. */
export interface PasswordStrength {
  /** 0 (guessed at once) to 4 (very hard to guess). */
  readonly score: 0 | 1 | 2 | 3 | 4;
  readonly problem?: string;
}

/** The lowest score of a strong password. */
const strongScore = 3;
/** Only this many characters are measured: the time is quadratic, and more characters do not make a password weaker. */
const measuredLength = 20;

const commonPasswords = new Set(dictionary['passwords-common']);
const meter = new ZxcvbnFactory({ dictionary, graphs: adjacencyGraphs, l33tMaxSubstitutions: 10 });

/**
 * Measures a password in any script. `personal` is data about its owner, which is guessed first: names, address,
 * company. Takes about 5 ms; loading this module takes 100 ms and 220 kB, so import it only where a password is chosen.
 *
 * @example measurePassword('Ada2026', ['Ada', 'Larsen']).score; // 1
 */
export function measurePassword(password: string, personal: readonly string[] = []): PasswordStrength {
  const text = password.normalize('NFKC');
  const problem = passwordFormProblem(text, 'strong');
  const { length } = [...text];
  if (length > maxPasswordLength) return { score: 4, problem };
  if (commonPasswords.has(text.toLowerCase()))
    return { score: 0, problem: 'This is one of the most common passwords. Choose another one.' };
  const score = length < minPasswordLength ? (Math.min(1, scoreOf(text, personal)) as 0 | 1) : scoreOf(text, personal);
  if (problem !== undefined) return { score, problem };
  return score >= strongScore ? { score } : { score, problem: easyToGuessMessage };
}

const easyToGuessMessage = 'This password is easy to guess. Use more characters, or less predictable ones.';

function scoreOf(text: string, personal: readonly string[]): PasswordStrength['score'] {
  const words = personal
    .flatMap((personalText) => [personalText, ...personalText.split(/[^\p{L}\p{N}]+/u)])
    .filter((word) => word.length > 2);
  return meter.check([...text].slice(0, measuredLength).join(''), [...new Set(words), 'assay']).score;
}
