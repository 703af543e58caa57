/** The states of a test run. */
export type RunState = 'planned' | 'open' | 'paused' | 'review' | 'closed';

/** The states in words, as its definition has them. */
export const runStateLabels: Readonly<Record<RunState, string>> = {
  planned: 'Not Started',
  open: 'In Progress',
  paused: 'Paused',
  review: 'In review',
  closed: 'Closed',
};

/** Whether results can be recorded: the first one starts a run that is not started. */
export const takesResults = (state: RunState): boolean => state === 'planned' || state === 'open';
