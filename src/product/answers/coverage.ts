import type { ResultCounts, ResultName } from './results';

/** A run or a configuration; the id 0 stands for tests without a configuration. */
export interface CoverageColumn {
  readonly id: number;
  readonly label: string;
  /** The milestone of a run. */
  readonly note: string | null;
  /** When the run began. */
  readonly at: string | null;
}

/** A requirement with the latest results of its test cases. */
export interface CoveredRequirement {
  readonly id: number;
  readonly key: string | null;
  readonly name: string;
  readonly priority: { readonly id: number; readonly title: string } | null;
  /** How many test cases show it. */
  readonly cases: number;
  /** Its test cases by their latest result; on several configurations the worst counts. */
  readonly counts: ResultCounts;
  /** No test case shows it, or none was ever run. */
  readonly is_gap: boolean;
  /** By the id of the column: the results there. */
  readonly cells: Readonly<Record<string, ResultCounts>>;
}

export interface Coverage {
  readonly day: string;
  readonly columns: readonly CoverageColumn[];
  /** Gaps first. */
  readonly requirements: readonly CoveredRequirement[];
}

/** A test case of a requirement in one column. */
export interface CoveringTest {
  readonly test_case_id: number;
  readonly key: string | null;
  readonly name: string;
  readonly result: ResultName;
  readonly run_id: number | null;
  readonly run_key: string | null;
  readonly entry_id: number | null;
  readonly at: string | null;
  readonly defect: string | null;
}
