/** What the code of test runs knows of their definitions. */
export const runs = 'test-runs';
export const entries = 'run-entries';
export const attempts = 'attempts';
export const testCases = 'test-cases';
export const keptFilters = 'run-filters';

/** The results that a person can give a test. */
export const personResults = ['passed', 'failed', 'blocked', 'skipped'] as const;
export type PersonResult = (typeof personResults)[number];

export const closedRunMessage = 'This test run is closed. Reopen it to change its tests and results.';
