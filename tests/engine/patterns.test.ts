import { expect, test } from 'vitest';
import { isEndless } from '../../src/engine/definitions/check-pattern';
import { shippedSources } from '../support/definitions';

test.each([
  '^[A-Za-z0-9_-]+$',
  '^[a-z0-9]+(-[a-z0-9]+)*$',
  '^[^\\s@,;]+@[^\\s@,;]+(\\s*[,;]\\s*[^\\s@,;]+@[^\\s@,;]+)*$',
  '^(?=.*[A-Z])(?=.*\\d)[\\s\\S]{8,}$',
  '^\\d{4}-\\d{2}-\\d{2}( \\d{2}:\\d{2})?$',
  '^(ab|cd)*$',
  '^([a-z]{0,3};)*$',
  '^[\\p{L}\\d-]{1,63}(\\.[\\p{L}\\d-]{1,63})+$',
  '^(\\+?\\d+[ -])*\\d+$',
  '^a?b?c?$',
  '^.{1,4000}$',
  '',
])('%s ends soon', (pattern) => {
  new RegExp(pattern, 'u');
  expect(isEndless(pattern)).toBe(false);
});

test.each([
  '(a+)+$',
  '^(a*)*$',
  '^(a|a)*$',
  '^(a|aa)+$',
  '^([a-z]+)*[A-Z]$',
  '^(\\w|\\d)+!$',
  '^(.*a){20}$',
  '^(a?a?)*b$',
  '^((ab)*|(abab))*c$',
  '^(\\s*x?\\s*)*$',
  '^(?=(a+)+$)a',
  '^(\\w+\\s?)*$',
  '(a)\\1*',
  '(?<x>a)\\k<x>',
  '^(a{1,30}){1,30}$',
])('%s is refused', (pattern) => {
  new RegExp(pattern, 'u');
  expect(isEndless(pattern)).toBe(true);
});

test('the judgement itself is over soon, whatever is judged', () => {
  const began = performance.now();
  for (const pattern of ['([a-z]*){1,9}'.repeat(30), '(a|b|c|d|e|f|g)*'.repeat(25), '(('.repeat(200) + 'a' + ')*)*'.repeat(200)]) isEndless(pattern); // prettier-ignore
  expect(performance.now() - began).toBeLessThan(3_000);
});

test('patterns that ship are used as they are', () => {
  const patterns = shippedSources().flatMap(({ fields }) =>
    Object.values(fields).flatMap(({ pattern }) => pattern ?? []),
  );
  expect(patterns.length).toBeGreaterThan(3);
  expect(patterns.filter(isEndless)).toEqual([]);
});
