import { apiFilterOf, type ListState } from '../../src/engine/lists/list-state';

/** A configuration or a person. */
export interface Choice {
  readonly id: number;
  readonly title: string;
}

/** The test cases that are added to a run, and how. */
export interface Selection {
  /** Ids of test cases. */
  readonly cases: ReadonlySet<number>;
  /** Ids of configurations. */
  readonly configurations: ReadonlySet<number>;
  readonly combine: 'all' | 'pairwise';
  /** Ids of the people who run the tests, in turn or by module. */
  readonly people: readonly number[];
  readonly distribution: 'round_robin' | 'module';
  /** Whether the run keeps the filter whose test cases are all selected. */
  readonly keepsFilter: boolean;
}

export const noSelection: Selection = {
  cases: new Set(),
  configurations: new Set(),
  combine: 'all',
  people: [],
  distribution: 'round_robin',
  keepsFilter: true,
};

/** The selected configurations that still exist, in the order of the list. */
export const selectedConfigurations = ({ configurations }: Selection, choices: readonly Choice[]): readonly Choice[] =>
  choices.filter(({ id }) => configurations.has(id));

/** How many tests the selection is at most: some may be in the run, and pairs may need fewer configurations. */
export const countTests = ({ cases }: Selection, configurations: number): number =>
  cases.size * Math.max(1, configurations);

/**
 * The query of the list of test cases, if the selection is all that its filters show; a search is none, and test cases
 * that were chosen one by one neither.
 */
export function filterOfSelection(
  { cases }: Selection,
  visibleCases: readonly { readonly id: number }[] | undefined,
  { filters, q }: Pick<ListState, 'filters' | 'q'>,
): Readonly<Record<string, string>> | undefined {
  if (!visibleCases || visibleCases.length === 0 || q.trim() !== '' || cases.size !== visibleCases.length)
    return undefined;
  if (!visibleCases.every(({ id }) => cases.has(id))) return undefined;
  const filter = apiFilterOf({ filters, q });
  return Object.keys(filter).length === 0 ? {} : { filter: JSON.stringify(filter) };
}

/** A set with an element more, or less. */
export function toggled<T>(set: ReadonlySet<T>, element: T): ReadonlySet<T> {
  const next = new Set(set);
  if (!next.delete(element)) next.add(element);
  return next;
}
