import type { LoadResult } from './load';
import type { BenchStage } from './stage';

/** One line of the table: a measurement and what it is compared with. */
export interface BenchmarkResult {
  readonly title: string;
  readonly ours: LoadResult;
  /** Describes the comparison with `ours` in a few words. */
  readonly comparison: string;
  readonly baseline: LoadResult;
  /** Requests a second of ours to theirs. */
  readonly ratio: number;
  /** The smallest ratio that is good enough. */
  readonly target: number;
  readonly notes: readonly string[];
}

/** One line below the table: figures without a floor. */
export interface Finding {
  readonly title: string;
  readonly figures: string;
  /** Whether the figures meet their target, if there is one. */
  readonly isReached?: boolean;
}

/** A measurement on the stage. */
export type BenchmarkCase = (stage: BenchStage) => Promise<readonly (BenchmarkResult | Finding)[]>;
