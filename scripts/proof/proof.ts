/** What a step of the proof is given. */
export interface Proof {
  /** A folder of the step's own, removed afterwards. */
  readonly folder: string;
  /** The core of the step alone, in seconds, as `npm test` runs it; otherwise all of it, in minutes. */
  readonly quick: boolean;
  /** Runs when the step has ended, in reverse order, whether it succeeded or not. */
  after(undo: () => unknown): void;
}

/** What one step shows, in one line with figures. Throws where it does not hold. */
export interface ProofStep {
  readonly title: string;
  /** Minutes after which the step has failed. */
  readonly minutes: number;
  /** Why it cannot run on this machine; undefined where it can. */
  impossible?(): string | undefined;
  run(proof: Proof): Promise<string>;
}
