import type { Query } from '../../server/records/read/query/list-query';

/** Which test cases come into a run, and on what they are run. */
export interface TestSelection {
  /** These test cases, or `all` of the project. */
  readonly test_cases?: readonly number[] | 'all';
  /** Those that a list of test cases with this query has. */
  readonly filter?: Query;
  /** On each of these; none: once, without a configuration. */
  readonly configurations?: readonly number[];
  /** `pairwise`: each pair of browser, system and device once, instead of every configuration. */
  readonly combine?: 'all' | 'pairwise';
  readonly assigned_to?: number | null;
}
