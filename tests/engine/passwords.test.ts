import { describe, expect, test } from 'vitest';
import { passwordFormProblem, passwordParts } from '../../src/engine/passwords/check';
import { passwordMessage, type PasswordPolicy } from '../../src/engine/passwords/rule';
import { measurePassword } from '../../src/engine/passwords/strength';

const tooLong = 'A password must have at most 256 characters.';

describe('the default rule for passwords', () => {
  test.each<[string, string | undefined]>([
    ['Ab1!', passwordMessage],
    ['novak2026', passwordMessage],
    ['correct horse battery', passwordMessage],
    ['Correct Horse', passwordMessage],
    ['Welcome@1', undefined],
    ['Summer#2025', undefined],
    ['Password1!', undefined],
    ['Correct1 ', passwordMessage],
    ['Ärger mit 1!', undefined],
    ['Длинный#1', undefined],
    [`Aa1!${'x'.repeat(252)}`, undefined],
    [`Aa1!${'x'.repeat(253)}`, tooLong],
  ])('%s: %s', (password, fault) => expect(passwordFormProblem(password, 'rule')).toBe(fault));
});

describe('the missing parts of a password', () => {
  test.each<[string, PasswordPolicy, string[]]>([
    [
      '',
      'rule',
      ['at least 8 characters', 'an upper-case letter', 'a lower-case letter', 'a digit', 'a special character'],
    ],
    ['summer2025', 'rule', ['an upper-case letter', 'a special character']],
    ['Summer#', 'rule', ['at least 8 characters', 'a digit']],
    ['ÄRGER MIT 1', 'rule', ['a lower-case letter', 'a special character']],
    ['Summer#2025', 'rule', []],
    ['Summer#2025', 'strong', ['at least 12 characters']],
    ['quiet harbour', 'strong', []],
  ])('%s by %s', (password, policy, missing) =>
    expect(passwordParts(password, policy).flatMap(({ words, isMet }) => (isMet ? [] : [words]))).toEqual(missing),
  );
});

describe('a password where strong ones are required', () => {
  const personal = ['Olivia', 'Berg', 'olivia@demo.test', 'Demo Testing Ltd'];
  const common = 'This is one of the most common passwords. Choose another one.';
  const short = 'A password must have at least 12 characters.';
  const easy = 'This password is easy to guess. Use more characters, or less predictable ones.';
  test.each<[string, string | undefined]>([
    ['Ab1!', short],
    ['Welcome@1', short],
    ['Summer#2025', short],
    ['password1', common],
    ['123456789012', common],
    ['aaaaaaaaaaaa', easy],
    ['olivia@demo.test', easy],
    ['Password1234!', easy],
    ['Quiet#Harbour7', undefined],
    ['correct horse battery', undefined],
    ['длинныйпароль', undefined],
    ['黄色猫咪是我的朋友呀啊啊', undefined],
    ['x'.repeat(257), tooLong],
  ])('%s: %s', (password, fault) => expect(measurePassword(password, personal).problem).toBe(fault));
});
