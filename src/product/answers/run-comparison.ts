import type { ResultCounts } from './results';

/** How the result of a test differs between two runs; `duration`: it takes more than half longer or shorter. */
export type TestChange =
  | 'new_failure'
  | 'still_failing'
  | 'fixed'
  | 'other'
  | 'duration'
  | 'added'
  | 'removed'
  | 'same';

/** A result of a test in one of the runs. */
export interface ComparedResult {
  readonly id: number;
  readonly result: string;
  readonly seconds: number | null;
  readonly run_at: string | null;
  readonly person: string | null;
  readonly comment: string | null;
}

/** A test in two runs. */
export interface ComparedTest {
  readonly key: string | null;
  readonly test_case_id: number | null;
  readonly automated_test_id: number | null;
  readonly name: string;
  readonly configuration_id: number | null;
  readonly configuration: string | null;
  readonly first: ComparedResult | null;
  readonly second: ComparedResult | null;
  readonly change: TestChange;
  /** For how many runs and days it fails, and since which run; null: it does not fail. */
  readonly age: { readonly runs: number; readonly days: number; readonly since: string | null } | null;
  readonly cause: string | null;
  /** The key of the run whose cause was carried on; null: it is its own. */
  readonly carried_from: string | null;
  /** The note about the cause; `carried_from` as for it. */
  readonly note: { readonly text: string; readonly carried_from: string | null } | null;
  /** `carried_from` as for the cause. */
  readonly defect: { readonly id: number; readonly name: string; readonly carried_from: string | null } | null;
}

/** A run that is compared. */
export interface ComparedRun {
  readonly id: number;
  readonly key: string | null;
  readonly name: string;
  readonly created_at: string;
  readonly counts: ResultCounts;
  /** Of all its tests. */
  readonly seconds: number;
}

/** Two runs, the base first. */
export interface RunComparison {
  readonly runs: readonly ComparedRun[];
  readonly tests: readonly ComparedTest[];
}
