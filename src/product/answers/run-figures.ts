import type { ResultCounts } from './results';

/** Tests of a module and their results; null: those without a module. */
export interface ModuleCounts extends ResultCounts {
  readonly module: string | null;
  readonly total: number;
}

/** Failed tests with the same message. */
export interface FailureGroup {
  /** Empty if nothing was written. */
  readonly message: string;
  /** Their ids. */
  readonly entries: readonly number[];
  /** Those of them that had not failed in the run before. */
  readonly new: readonly number[];
}

/** Where a run is. */
export interface RunFigures {
  readonly total: number;
  readonly counts: ResultCounts;
  /** Per cent of the tests that were run; null if none was. */
  readonly pass_rate: number | null;
  readonly modules: readonly ModuleCounts[];
  readonly failures: readonly FailureGroup[];
  readonly new_failures: number;
  /** Seconds of all attempts. */
  readonly elapsed_seconds: number;
  /** Seconds that the rest takes, by earlier times of the same test cases; null if no time is known. */
  readonly remaining_seconds: number | null;
  /** Of the tests that were not run, how many have an earlier time of their own. */
  readonly timed: number;
  /** How many tests were left, at each moment at which that changed. */
  readonly burndown: readonly { readonly at: string; readonly left: number }[];
  /** When the last test is run at the pace of this run; null if nothing was run or nothing is left. */
  readonly forecast_at: string | null;
  /** The first attempt, and the last. */
  readonly first_at: string | null;
  readonly last_at: string | null;
}
