import { describe, expect, test } from 'vitest';
import { playwrightFiles, playwrightOutcome, slowest, vitestOutcome } from '../../scripts/test-outcomes.mjs';

describe('what Vitest reports', () => {
  const test_ = (fullName: string, status: string, ...failureMessages: string[]) => ({
    fullName,
    status,
    failureMessages,
  });
  const file = (name: string, status: string, assertionResults: unknown[], message = '') => ({
    name: `/work/tests/${name}`,
    status,
    message,
    assertionResults,
  });
  const report = (...testResults: unknown[]) => ({ numPassedTests: 2, testResults });
  const passed = file('a.test.ts', 'passed', [test_('one', 'passed'), test_('two', 'passed')]);
  const wrong = test_(
    'group wrong',
    'failed',
    '\u001b[31mAssertionError\u001b[39m: expected 1 to be 2\n    at a.test.ts:3',
  );

  test.each<[string, unknown, string[] | undefined, boolean, number, [string, string][]]>([
    ['passed', report(passed), [], true, 0, []],
    [
      'a test failed',
      report(passed, file('b.test.ts', 'failed', [wrong])),
      [],
      false,
      1,
      [['tests/b.test.ts > group wrong', 'AssertionError: expected 1 to be 2\n    at a.test.ts:3']],
    ],
    [
      'a test was skipped',
      report(file('b.test.ts', 'passed', [test_('later', 'skipped')])),
      [],
      true,
      1,
      [['tests/b.test.ts > later', 'It is skipped.']],
    ],
    [
      'a file could not be loaded',
      report(file('b.test.ts', 'failed', [], 'SyntaxError: x')),
      [],
      false,
      1,
      [['tests/b.test.ts', 'SyntaxError: x']],
    ],
    [
      'an error was thrown outside of tests, beside one that failed',
      report(file('b.test.ts', 'failed', [wrong])),
      ['TypeError: y'],
      false,
      2,
      [
        ['tests/b.test.ts > group wrong', 'AssertionError: expected 1 to be 2\n    at a.test.ts:3'],
        ['thrown outside of a test', 'TypeError: y'],
      ],
    ],
    ['it ended badly all the same', report(passed), [], false, 1, []],
    ['there is no report', undefined, undefined, false, 1, []],
  ])('%s', (_, made, errors, ok, failed, failures) => {
    const outcome = vitestOutcome(made, errors, ok, '/work');
    expect(outcome.failed).toBe(failed);
    expect(outcome.failures.map(({ name, message }) => [name, message])).toEqual(failures);
    if (made) expect(outcome.passed).toBe(2);
  });
});

describe('what Playwright reports', () => {
  const spec = (title: string, status: string, ...messages: string[]) => ({
    title,
    line: 7,
    tests: [{ status, results: [{ errors: messages.map((message) => ({ message })) }] }],
  });
  const report = (...specs: unknown[]) => ({
    stats: { expected: 3 },
    errors: [],
    suites: [{ file: 'a.spec.ts', specs: [], suites: [{ file: 'a.spec.ts', specs }] }],
  });

  test.each<[string, unknown, boolean, number, string[]]>([
    ['passed', report(spec('one', 'expected')), true, 0, []],
    ['a tour failed', report(spec('one', 'unexpected', 'Timed out')), false, 1, ['a.spec.ts:7 > one: Timed out']],
    ['a tour passed at a second try', report(spec('one', 'flaky', 'Once')), true, 1, ['a.spec.ts:7 > one: Once']],
    ['a tour was skipped', report(spec('one', 'skipped')), true, 1, ['a.spec.ts:7 > one: It is skipped.']],
    [
      'it was interrupted',
      { ...report(), errors: [{ message: 'Out of time' }] },
      false,
      1,
      ['thrown outside of a test: Out of time'],
    ],
    ['there is no report', undefined, false, 1, []],
  ])('%s', (_, made, ok, failed, failures) => {
    const outcome = playwrightOutcome(made, ok);
    expect(outcome.failed).toBe(failed);
    expect(outcome.failures.map(({ name, message }) => `${name}: ${message}`)).toEqual(failures);
  });
});

test('the ten slowest files of all runners are listed, the slowest first', () => {
  const spec = (milliseconds: number) => ({ tests: [{ results: [{ duration: milliseconds }] }] });
  const report = {
    suites: [
      { file: 'a.spec.ts', specs: [spec(2_000)], suites: [{ file: 'a.spec.ts', specs: [spec(3_000), spec(500)] }] },
      { file: 'b.spec.ts', specs: [spec(1)] },
    ],
  };
  const files = Array.from({ length: 10 }, (_, index) => ({
    name: `/work/tests/${index}.test.ts`,
    milliseconds: 1_000 * index,
  }));
  const rows = slowest([...files, ...playwrightFiles(report)], '/work');
  expect(rows).toHaveLength(10);
  expect(rows.slice(3, 6).map(({ name, milliseconds }) => [name, milliseconds])).toEqual([
    ['tests/6.test.ts', 6_000],
    ['tests/e2e/a.spec.ts', 5_500],
    ['tests/5.test.ts', 5_000],
  ]);
});
