import type { CiResult } from '../../src/product/answers/ci-results';
import { firstOf, requireValue } from '../../src/engine/values/lookups';

/** The results of one test on all its configurations. */
export interface TestGroup {
  /** That of the test, or of a result without one. */
  readonly key: string;
  readonly first: CiResult;
  readonly results: readonly CiResult[];
  readonly isNew: boolean;
}

/** Tests that failed for the same cause. */
export interface CauseGroup {
  /** The message of the first of them. */
  readonly title: string;
  readonly tests: readonly TestGroup[];
}

export type CiTab = 'failures' | 'flaky' | 'new';

/** The tests of a tab, each once, in their order. */
export function testsOf(results: readonly CiResult[], tab: CiTab): readonly TestGroup[] {
  const groups = new Map<string, CiResult[]>();
  for (const result of results) {
    const key = result.test ? `test ${result.test.id}` : `result ${result.id}`;
    groups.set(key, [...(groups.get(key) ?? []), result]);
  }
  const groupedTests = [...groups].map(([key, ownResults]): TestGroup => {
    // The failure is what the test is about, whatever else it did on other configurations.
    const first = ownResults.find(({ result }) => result !== 'flaky') ?? firstOf(ownResults);
    return { key, first, results: ownResults, isNew: ownResults.some(({ is_new }) => is_new) };
  });
  if (tab === 'flaky')
    return groupedTests.filter(({ results: ownResults }) => ownResults.some(({ result }) => result === 'flaky'));
  const failed = groupedTests.filter(({ first }) => first.result !== 'flaky');
  return tab === 'new' ? failed.filter(({ isNew }) => isNew) : failed;
}

/** Tests by cause, the most frequent first; causes of a single test come last, together. */
export function groupByCause(tests: readonly TestGroup[]): readonly CauseGroup[] {
  const groups = new Map<string, TestGroup[]>();
  for (const test of tests) groups.set(test.first.cause, [...(groups.get(test.first.cause) ?? []), test]);
  const isShared = ([cause, tests]: readonly [string, readonly TestGroup[]]) => cause !== '' && tests.length > 1;
  const sharedCauses = [...groups].filter(isShared).toSorted(([, first], [, second]) => second.length - first.length);
  const otherTests = [...groups].filter((group) => !isShared(group)).flatMap(([, tests]) => tests);
  const causes = sharedCauses.map(([, tests]) => ({
    title: firstOf(
      requireValue(firstOf(tests).first.message, 'the message of a test with a cause').trim().split('\n', 1),
    ),
    tests,
  }));
  if (otherTests.length === 0) return causes;
  return [...causes, { title: causes.length === 0 ? 'All causes' : 'Other causes', tests: otherTests }];
}

/** Whether a search fits the name, place or test case of a test. */
export function matchesSearch({ first }: TestGroup, search: string): boolean {
  const text = search.trim().toLowerCase();
  const parts = [first.name, first.test?.file, first.test?.suite, first.test_case?.key, first.message];
  return text === '' || parts.some((part) => part?.toLowerCase().includes(text));
}
