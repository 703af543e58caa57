/** The names in the definitions of test runs that their code uses. */
export const runs = 'test-runs';
export const entries = 'run-entries';
export const attempts = 'attempts';
export const testCases = 'test-cases';
export const keptFilters = 'run-filters';

/** The results that a person can give a test. */
export const personResults = ['passed', 'failed', 'blocked', 'skipped'] as const;
export type PersonResult = (typeof personResults)[number];

/** Why a run in a state takes no results; undefined if it does. */
export function resultsRefusal(state: string): string | undefined {
  if (state === 'closed') return closedRunMessage;
  if (state === 'paused') return 'This test run is paused, so it takes no results. Resume it first.';
  if (state === 'review')
    return 'This test run is in review, so it takes no results. Set it back to In Progress first.';
  return undefined;
}

export const closedRunMessage = 'This test run is closed. Reopen it to change its tests and results.';
