import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { passwordPattern } from '../../src/engine/field-types/password';
import { compilePattern, patternProblem } from '../../src/engine/patterns/compile-pattern';
import { loadPatternEngine, matcherOf, isSafePattern } from '../../src/engine/patterns/matcher';
import { findViolation } from '../../src/engine/validation/find-violation';
import { validateValue } from '../../src/server/records/write/input';
import { fixtureSources } from '../support/definitions';
import { field } from './support/definitions';

const shipped = fixtureSources().flatMap(({ fields }) => Object.values(fields).flatMap(({ pattern }) => pattern ?? []));

/** Parts of patterns that both engines know, and must read alike. */
const piece = fc.constantFrom(
  'a',
  'b',
  'Z',
  '0',
  '_',
  '-',
  ' ',
  '.',
  '\\d',
  '\\D',
  '\\w',
  '\\W',
  '\\s',
  '\\S',
  '\\b',
  '\\B',
  '^',
  '$',
  '[a-c]',
  '[^a-c]',
  '[\\s\\S]',
  '[^\\s@,;]',
  '[\\w.-]',
  '[-a]',
  '[a-]',
  '[[]',
  '[^]',
  '[\\]\\\\]',
  '[\\u0041-\\u{5A}]',
  '\\x41',
  '\\u00e4',
  '\\u{1F600}',
  '\\uD83D\\uDE00',
  '\\n',
  '\\t',
  '\\.',
  '\\/',
  '\\p{L}',
  '\\p{Lu}',
  '\\P{L}',
  '[\\p{Nd}x]',
  '[^\\W_]',
  '\\cJ',
  '\\0',
  '😀',
  'ä',
  '@',
  '[\\b]',
  '\\p{Script=Greek}',
  '[😀-😃]',
);
const pattern = fc.letrec<{ one: string }>((tie) => ({
  one: fc.oneof(
    { depthSize: 'small', withCrossShrink: true },
    piece,
    fc.array(tie('one'), { maxLength: 4 }).map((parts) => parts.join('')),
    fc.tuple(tie('one'), tie('one')).map(([a, b]) => `(?:${a}|${b})`),
    fc
      .tuple(tie('one'), fc.constantFrom('*', '+', '?', '{2}', '{1,3}', '{0,}', '*?', '+?'))
      .map(([a, times]) => `(${a})${times}`),
    tie('one').map((a) => `(?<n${a.length}>${a})`),
  ),
})).one;
const text = fc
  .array(
    fc.constantFrom(
      'a',
      'b',
      'c',
      'Z',
      'A',
      '0',
      '9',
      '_',
      '-',
      ' ',
      '.',
      '\n',
      '\r',
      '\t',
      '\u000b',
      '\u00a0',
      '\u2028',
      '\ufeff',
      '@',
      ',',
      '😀',
      '😁',
      'ä',
      'Ω',
      '[',
      ']',
      '\\',
      '\b',
      '\0',
      '/',
    ),
    { maxLength: 8 },
  )
  .map((parts) => parts.join(''));

const isPattern = (one: string): boolean => {
  try {
    return new RegExp(one, 'u') instanceof RegExp;
  } catch {
    return false;
  }
};

/** Whether JavaScript finds a match: V8 also looks between the halves of a character, where `\B` holds. The standard does not. */
const found = (one: string, text: string): boolean => {
  const expression = new RegExp(one, 'uy');
  const starts = Array.from(`${text} `.matchAll(/[\s\S]/gu), ({ index }) => index);
  return starts.some((start) => {
    expression.lastIndex = start;
    return expression.test(text);
  });
};

describe('patterns without backtracking', () => {
  test('are matched as in JavaScript', () => {
    fc.assert(
      fc.property(
        pattern.filter(isPattern),
        fc.array(text, { minLength: 1, maxLength: 8 }),
        fc.boolean(),
        (one, texts, whole) => {
          const said = whole ? `^(?:${one})$` : one;
          if (patternProblem(said) !== undefined) return;
          const matches = compilePattern(said);
          for (const each of texts) expect(matches(each), JSON.stringify([said, each])).toBe(found(said, each));
        },
      ),
      { numRuns: 4_000, examples: [['(?:[\\b]|(?:(?:\\B|ä)|\\p{Script=Greek}))', ['a😀a', ''], false]] },
    );
  });

  test('the shipped patterns are accepted, and most of them are plain', () => {
    expect(shipped.length).toBeGreaterThan(3);
    expect(shipped.map(patternProblem)).toEqual(shipped.map(() => undefined));
    expect(shipped.filter(isSafePattern).length).toBeGreaterThan(shipped.length / 3);
    expect(isSafePattern(passwordPattern)).toBe(true);
  });

  // Each took minutes or longer on a few hundred characters.
  test.each([
    ['.*.*.*.*.*.*=x$', '='.repeat(1_000)],
    ['^(a+)+$', `${'a'.repeat(999)}!`],
    ['^(\\w+\\s?)*$', `${'a'.repeat(999)}!`],
    ['^(a|aa)+$', `${'a'.repeat(999)}!`],
    ['^([a-z]{0,30}){0,30}$', `${'a'.repeat(999)}!`],
    ['(x+x+)+y', 'x'.repeat(1_000)],
    ['^(\\s*x?\\s*)*$', `${' '.repeat(999)}!`],
    ['(.*)*\\d(.*)*\\d(.*)*z', '1'.repeat(1_000)],
  ])('%s is matched with a long text in a short time', async (one, long) => {
    await loadPatternEngine();
    const code = field({ type: 'text', pattern: one, maxLength: 1_000 });
    const began = performance.now();
    expect(isSafePattern(one)).toBe(false);
    expect(validateValue(code, long)?.keyword).toBe('pattern');
    expect(findViolation({ type: 'string', pattern: one }, long)?.keyword).toBe('pattern');
    expect(matcherOf(one)!(long)).toBe(false);
    expect(performance.now() - began).toBeLessThan(5_000);
  });

  test.each([
    ['^(?=.*x).*$', /lookahead or lookbehind/],
    ['(?<!a)b', /lookahead or lookbehind/],
    ['(a)\\1*', /backreference/],
    ['(?<x>a)\\k<x>', /backreference/],
    ['^(a{1,99}){1,99}$', /repetitions match more than 1,000/],
    ['^.{1,4000}$', /minLength and maxLength/],
    ['(', /not a valid regular expression/],
    ['a{2,1}', /not a valid regular expression/],
    ['\\p{Script_Extensions=Greek}', /character property/],
  ])('%s is refused with the reason', (one, message) => {
    expect(patternProblem(one)).toMatch(message);
  });

  test('a pattern of any size is checked in a short time', () => {
    const began = performance.now();
    for (const one of [
      '([a-z]*){1,9}'.repeat(30),
      '(a|b|c|d|e|f|g)*'.repeat(25),
      '(('.repeat(60) + 'a' + ')*)*'.repeat(60),
      '(a{1,9}'.repeat(60) + ')'.repeat(60),
    ])
      patternProblem(one);
    expect(performance.now() - began).toBeLessThan(3_000);
  });
});
