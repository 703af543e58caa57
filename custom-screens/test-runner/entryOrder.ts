import type { Entry, Result } from './runnerApi';

/** Which tests the list shows. */
export type EntryFilter = 'all' | 'mine' | 'not_run';

/** The tests of a run by module: modules in the order in which they first appear, their tests in the order of the run. */
export function groupByModule(entries: readonly Entry[]): readonly Entry[] {
  const groups = new Map<string | null, Entry[]>();
  for (const entry of entries) {
    const group = groups.get(entry.module);
    if (group) group.push(entry);
    else groups.set(entry.module, [entry]);
  }
  return [...groups.values()].flat();
}

/** The short name of a test: the key of its test case. */
export const entryKey = ({ id, test_case: testCase }: Entry): string => testCase?.key ?? `#${id}`;

/** Whether a test belongs to what is shown. */
export function isShown(entry: Entry, result: Result, filter: EntryFilter, search: string, person: number): boolean {
  if (filter === 'mine' && entry.assigned?.id !== person) return false;
  if (filter === 'not_run' && result !== 'not_run') return false;
  const words = search.trim().toLowerCase().split(/\s+/);
  const text = [entryKey(entry), entry.name, entry.module, entry.configuration?.name, entry.assigned?.name]
    .join(' ')
    .toLowerCase();
  return words.every((word) => text.includes(word));
}

/** The test so many places further in the list; undefined at its end. From the first if the current one is not in it. */
export function entryAt(entries: readonly Entry[], current: number | undefined, steps: number): Entry | undefined {
  const index = entries.findIndex(({ id }) => id === current);
  return index < 0 ? entries[0] : entries[index + steps];
}

/**
 * The next test that was not run, after the current one or from the start; undefined if none is left. One at which a
 * colleague is comes last.
 */
export function nextToRun(
  entries: readonly Entry[],
  current: number,
  resultOf: (entry: Entry) => Result,
  isInProgress: (entry: Entry) => boolean = () => false,
): Entry | undefined {
  const index = entries.findIndex(({ id }) => id === current);
  const left = [...entries.slice(index + 1), ...entries.slice(0, Math.max(index, 0))].filter(
    (entry) => resultOf(entry) === 'not_run',
  );
  return left.find((entry) => !isInProgress(entry)) ?? left[0];
}

/** The tests that are probably opened next: those that were not run, and those beside the current one. */
export function upcomingTests(
  entries: readonly Entry[],
  current: number | undefined,
  resultOf: (entry: Entry) => Result,
): readonly number[] {
  const index = entries.findIndex(({ id }) => id === current);
  const following = entries.slice(index + 1);
  const open: Entry[] = [];
  for (const entry of following) {
    if (open.length === maxPreloadedEntries) break;
    if (resultOf(entry) === 'not_run') open.push(entry);
  }
  const neighbours = [
    ...following.slice(0, neighbourCount),
    ...entries.slice(Math.max(0, index - neighbourCount), Math.max(0, index)),
  ];
  return [...new Set([...open, ...neighbours].map(({ id }) => id))];
}

/** As many as a tester runs while a connection is lost for a while. */
const maxPreloadedEntries = 20;
const neighbourCount = 3;

/** How many tests have each result. */
export function countResults(entries: readonly Entry[], resultOf: (entry: Entry) => Result): Map<Result, number> {
  const counts = new Map<Result, number>();
  for (const entry of entries) counts.set(resultOf(entry), (counts.get(resultOf(entry)) ?? 0) + 1);
  return counts;
}
