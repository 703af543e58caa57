import type { CiResult } from '../../src/product/answers/ci-results';

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
  const all = [...groups].map(([key, own]): TestGroup => {
    // The failure is what the test is about, whatever else it did on other configurations.
    const first = own.find(({ result }) => result !== 'flaky') ?? own[0]!;
    return { key, first, results: own, isNew: own.some(({ is_new }) => is_new) };
  });
  if (tab === 'flaky') return all.filter(({ results: own }) => own.some(({ result }) => result === 'flaky'));
  const failed = all.filter(({ first }) => first.result !== 'flaky');
  return tab === 'new' ? failed.filter(({ isNew }) => isNew) : failed;
}

/** Tests by cause, the most frequent first; causes of a single test come last, together. */
export function groupByCause(tests: readonly TestGroup[]): readonly CauseGroup[] {
  const groups = new Map<string, TestGroup[]>();
  for (const test of tests) groups.set(test.first.cause, [...(groups.get(test.first.cause) ?? []), test]);
  const isShared = ([cause, own]: readonly [string, readonly TestGroup[]]) => cause !== '' && own.length > 1;
  const shared = [...groups].filter(isShared).toSorted(([, one], [, other]) => other.length - one.length);
  const others = [...groups].filter((group) => !isShared(group)).flatMap(([, own]) => own);
  const causes = shared.map(([, own]) => ({ title: own[0]!.first.message!.trim().split('\n', 1)[0]!, tests: own }));
  if (others.length === 0) return causes;
  return [...causes, { title: causes.length === 0 ? 'All causes' : 'Other causes', tests: others }];
}

/** Whether a search fits the name, place or test case of a test. */
export function fits({ first }: TestGroup, search: string): boolean {
  const text = search.trim().toLowerCase();
  const parts = [first.name, first.test?.file, first.test?.suite, first.test_case?.key, first.message];
  return text === '' || parts.some((part) => part?.toLowerCase().includes(text));
}
