/** `done` has a check mark, `next` the active button, `later` is locked. */
export type StepState = 'done' | 'next' | 'later';

/** The progress of the setup. */
export interface SetupProgress {
  /** The bar ends at the edge of a card. */
  readonly percent: 31.7 | 65.8 | 100;
  readonly sentence: string;
  readonly steps: readonly [StepState, StepState, StepState];
}

/** The state of the three steps: a client, a project, the dashboard. */
export function setupProgress(clients: number, projects: number): SetupProgress {
  if (clients === 0) {
    const project = projects > 0 ? 'done' : 'later';
    return { percent: 31.7, sentence: 'It begins with a client.', steps: ['next', project, 'later'] };
  }
  if (projects === 0) {
    return { percent: 65.8, sentence: 'Client created. Now its first project.', steps: ['done', 'next', 'later'] };
  }
  return { percent: 100, sentence: 'Everything is in place.', steps: ['done', 'done', 'next'] };
}
