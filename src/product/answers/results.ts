/** How many tests have each result. Broken tests count as failed. */
export interface ResultCounts {
  readonly passed: number;
  readonly failed: number;
  readonly blocked: number;
  readonly skipped: number;
  /** Automated tests that passed on a later attempt. */
  readonly flaky: number;
  readonly not_run: number;
}

/** The words for results, in the order in which they are always shown. */
export const resultNames = ['passed', 'failed', 'blocked', 'skipped', 'flaky', 'not_run'] as const;
export type ResultName = (typeof resultNames)[number];
