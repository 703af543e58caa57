import { resultNames, resultOrder } from '../results/results';
import { resultWord } from './groups';
import type { OverviewEntry } from './overviewApi';

/** By what the tests of a run are filtered: each with the value of a test, and what tests without one are called. */
const entryFilters = {
  result: { label: 'Result', of: (entry: OverviewEntry) => resultNames[resultWord(entry.result)], none: '' },
  assignee: { label: 'Assignee', of: (entry: OverviewEntry) => entry.assigned?.name, none: 'Unassigned' },
  configuration: {
    label: 'Configuration',
    of: (entry: OverviewEntry) => entry.configuration?.name,
    none: 'Without a configuration',
  },
  module: { label: 'Module', of: (entry: OverviewEntry) => entry.module, none: 'Without a module' },
  defect: {
    label: 'Linked task',
    of: (entry: OverviewEntry) => (entry.defect ? 'With a linked task' : undefined),
    none: 'Without a linked task',
  },
} as const;
export type EntryFilterName = keyof typeof entryFilters;

/** The chosen values of each filter; those of one filter are alternatives, and a filter without any lets all pass. */
export type ChosenFilters = Readonly<Partial<Record<EntryFilterName, readonly string[]>>>;

const names = Object.keys(entryFilters) as EntryFilterName[];

const valueOf = (entry: OverviewEntry, name: EntryFilterName): string =>
  entryFilters[name].of(entry) ?? entryFilters[name].none;

export function passesFilters(entry: OverviewEntry, chosenFilters: ChosenFilters): boolean {
  return names.every((name) => {
    const values = chosenFilters[name] ?? [];
    return values.length === 0 || values.includes(valueOf(entry, name));
  });
}

/** How many values are chosen. */
export const countChosen = (chosenFilters: ChosenFilters): number =>
  names.reduce((sum, name) => sum + (chosenFilters[name]?.length ?? 0), 0);

export function toggleFilter(chosenFilters: ChosenFilters, name: EntryFilterName, value: string): ChosenFilters {
  const values = chosenFilters[name] ?? [];
  return {
    ...chosenFilters,
    [name]: values.includes(value) ? values.filter((chosenValue) => chosenValue !== value) : [...values, value],
  };
}

/** The filters with the values that tests of the run have; one whose tests all have the same is left out. */
export function filterChoices(
  entries: readonly OverviewEntry[],
): readonly { name: EntryFilterName; label: string; values: readonly (readonly [value: string, count: number])[] }[] {
  const results: readonly string[] = resultOrder.map((name) => resultNames[name]);
  return names.flatMap((name) => {
    const counts = new Map<string, number>();
    for (const entry of entries) counts.set(valueOf(entry, name), (counts.get(valueOf(entry, name)) ?? 0) + 1);
    if (counts.size < 2) return [];
    const rank = (value: string) => (value === entryFilters[name].none ? Infinity : results.indexOf(value));
    const values = [...counts].sort(([first], [second]) => rank(first) - rank(second) || first.localeCompare(second));
    return [{ name, label: entryFilters[name].label, values }];
  });
}
