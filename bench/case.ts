import type { Figures } from './load';
import type { Stage } from './stage';

/** One line of the table: what was measured, beside what it is held against. */
export interface Outcome {
  readonly what: string;
  readonly ours: Figures;
  /** What `ours` is compared with, in a few words. */
  readonly beside: string;
  readonly theirs: Figures;
  /** Requests a second of ours to theirs. */
  readonly ratio: number;
  /** The smallest ratio that is good enough. */
  readonly target: number;
  readonly notes: readonly string[];
}

/** One line below the table: figures that stand beside no floor. */
export interface Finding {
  readonly what: string;
  readonly figures: string;
  /** Whether the figures are good enough, where there is a target. */
  readonly reached?: boolean;
}

/** A measurement on the stage. */
export type Case = (stage: Stage) => Promise<readonly (Outcome | Finding)[]>;
