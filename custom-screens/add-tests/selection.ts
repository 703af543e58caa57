/** A configuration or a person. */
export interface Choice {
  readonly id: number;
  readonly title: string;
}

/** What is added to a run. */
export interface Selection {
  /** Ids of test cases. */
  readonly cases: ReadonlySet<number>;
  /** Ids of configurations. */
  readonly configurations: ReadonlySet<number>;
  readonly combine: 'all' | 'pairwise';
  /** Ids of the people who run the tests, in turn or by module. */
  readonly people: readonly number[];
  readonly by: 'round_robin' | 'module';
}

export const noSelection: Selection = {
  cases: new Set(),
  configurations: new Set(),
  combine: 'all',
  people: [],
  by: 'round_robin',
};

/** The selected configurations that still exist, in the order of the list. */
export const selectedConfigurations = ({ configurations }: Selection, all: readonly Choice[]): readonly Choice[] =>
  all.filter(({ id }) => configurations.has(id));

/** How many tests the selection is at most: some may be in the run, and pairs may need fewer configurations. */
export const countTests = ({ cases }: Selection, configurations: number): number =>
  cases.size * Math.max(1, configurations);

/** A set with an element more, or less. */
export function toggled<T>(set: ReadonlySet<T>, element: T): ReadonlySet<T> {
  const next = new Set(set);
  if (!next.delete(element)) next.add(element);
  return next;
}
