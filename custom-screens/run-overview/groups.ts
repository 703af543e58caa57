import { resultNames, type ResultCounts, type ResultName } from '../results/results';
import type { Result } from '../test-runner/runnerApi';
import type { OverviewEntry } from './overviewApi';

/** By what the tests of a run are grouped. */
export const groupings = {
  module: { label: 'Module', none: 'Without a module', of: (entry: OverviewEntry) => entry.module },
  assignee: { label: 'Assignee', none: 'Unassigned', of: (entry: OverviewEntry) => entry.assigned?.name ?? null },
  configuration: {
    label: 'Configuration',
    none: 'Without a configuration',
    of: (entry: OverviewEntry) => entry.configuration?.name ?? null,
  },
  result: { label: 'Result', none: '', of: (entry: OverviewEntry) => resultNames[resultWord(entry.result)] },
} as const;
export type Grouping = keyof typeof groupings;

/** Tests that have something in common. */
export interface EntryGroup {
  readonly name: string;
  readonly entries: readonly OverviewEntry[];
  readonly counts: ResultCounts;
}

/** A result as one of the words that are shown: broken tests count as failed. */
export const resultWord = (result: Result): ResultName => (result === 'broken' ? 'failed' : result);

/** Counts the results of tests. */
function countEntries(entries: readonly OverviewEntry[]): ResultCounts {
  const counts: Record<ResultName, number> = { passed: 0, flaky: 0, failed: 0, blocked: 0, skipped: 0, not_run: 0 };
  for (const { result } of entries) counts[resultWord(result)]++;
  return counts;
}

/** Groups tests in the order in which their groups first appear; those without come last. */
export function groupEntries(entries: readonly OverviewEntry[], grouping: Grouping): readonly EntryGroup[] {
  const { of: nameOf, none: fallbackName } = groupings[grouping];
  const groups = new Map<string | null, OverviewEntry[]>();
  for (const entry of entries) {
    const name = nameOf(entry);
    const group = groups.get(name);
    if (group) group.push(entry);
    else groups.set(name, [entry]);
  }
  return [...groups]
    .sort(([first], [second]) => Number(first === null) - Number(second === null))
    .map(([name, members]) => ({ name: name ?? fallbackName, entries: members, counts: countEntries(members) }));
}
