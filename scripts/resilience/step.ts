/** The context of a step. */
export interface StepContext {
  /** A folder of the step's own, removed afterwards. */
  readonly folder: string;
  /** Only the core of the step, in seconds, as in `npm test`; otherwise all of it, in minutes. */
  readonly quick: boolean;
  /** Runs when the step has ended, in reverse order, whether it succeeded or not. */
  addCleanup(undo: () => unknown): void;
}

/** Runs the step and returns one line with figures. Throws if it fails. */
export interface ResilienceStep {
  readonly title: string;
  /** Minutes after which the step fails. */
  readonly minutes: number;
  /** Why it cannot run on this machine; undefined if it can. */
  impossible?(): string | undefined;
  run(context: StepContext): Promise<string>;
}
