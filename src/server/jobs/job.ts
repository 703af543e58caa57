import type { Transaction } from '../database/database';

/** What happens to jobs, as live events name it: only whoever started one hears of it. */
export const jobEvents = 'jobs';

export const jobStates = ['waiting', 'running', 'done', 'failed', 'cancelled'] as const;
export type JobState = (typeof jobStates)[number];

/** A job as it is stored. Instants are ISO 8601 in UTC. */
export interface Job {
  readonly id: number;
  readonly kind: string;
  /** What it is about, in words for lists, such as a file's name. */
  readonly title: string;
  /** Whose it is; null: the installation's. */
  readonly site_id: number | null;
  /** Who started it, and as whom it is done. */
  readonly user_id: number;
  readonly state: JobState;
  /** What was asked for, as its kind reads it. */
  readonly input: unknown;
  /** Where it goes on, written with the work up to there; null before the first checkpoint. */
  readonly place: unknown;
  readonly done: number;
  readonly total: number | null;
  readonly result: unknown;
  readonly message: string | null;
  /** How often it was begun since it last got any further. */
  readonly attempts: number;
  /** Whether it may be tried again once it has failed or was cancelled. */
  readonly repeatable: boolean;
  readonly cancel_wanted: boolean;
  readonly next_at: string;
  readonly created_at: string;
  readonly started_at: string | null;
  readonly finished_at: string | null;
}

/** What a job is asked for with. */
export type NewJob = Pick<Job, 'kind' | 'title' | 'site_id' | 'user_id' | 'input'>;

/** How far a job is after a part of it; `place` is where it goes on. */
export interface Checkpoint {
  readonly done: number;
  readonly total: number | null;
  readonly place: unknown;
}

/** A job in the hands of its kind. */
export interface RunningJob extends Job {
  /** Aborted when the job is cancelled, the server stops, or another server has taken it over. */
  readonly signal: AbortSignal;
  /**
   * Notes within the transaction of a part how far it is, so that both are stored or neither. Throws Interrupted, which
   * has to end the transaction, where the job is no longer this server's or is to be cancelled.
   */
  checkpoint(trx: Transaction, reached: Checkpoint): Promise<void>;
}

/** How a job ended well. */
export interface Outcome {
  readonly result: unknown;
  readonly message: string;
  /** Runs in the transaction that ends the job. */
  readonly store?: (trx: Transaction) => Promise<void>;
}

/** A kind of work. It is done in parts that are committed together with their checkpoints, and goes on after the last. */
export interface JobKind {
  readonly name: string;
  /** Its name in lists. */
  readonly label: string;
  /** How often it is begun without getting any further before it fails. */
  readonly attempts: number;
  /**
   * Does it, from `job.place` on. Throws JobFailed, or a refusal of the API, where trying again is of no use; any other
   * error is a fault of the server, after which it is tried again.
   */
  run(job: RunningJob): Promise<Outcome>;
  /** Runs in the transaction of each checkpoint and change of state, for what the kind keeps elsewhere. */
  changed?(trx: Transaction, job: Job): Promise<void>;
  /** The result as callers read it. */
  present?(job: Job): unknown;
  /** Says what is stored, where a job ends early; follows the reason. */
  remainder?(job: Job): string;
}

/** The jobs of an installation, and this server's part in doing them. */
export interface Jobs {
  readonly kinds: ReadonlyMap<string, JobKind>;
  /** Stores a job with what the transaction stores; it is begun after the commit. Throws TooMany. */
  enqueue(trx: Transaction, job: NewJob): Promise<Job>;
  /** Resolves once a job has ended; rejects when this server stops before, and when the job is gone. */
  ended(id: number): Promise<Job>;
  /** Cancels a job: at once where it waits, at its next checkpoint where it runs. Throws NotFound and Conflict. */
  cancel(id: number): Promise<Job>;
  /** Has a job that failed or was cancelled go on where it stopped. Throws NotFound and Conflict. */
  retry(id: number): Promise<Job>;
  /** Begins to do jobs of these kinds. */
  start(kinds: readonly JobKind[]): Promise<void>;
  /** Takes no more jobs, and gives back those that run as soon as they reach a checkpoint. Can be called again. */
  stop(): Promise<void>;
}

/** A job that cannot be done; the message goes to the user as it is. `final`: it may not be tried again either. */
export class JobFailed extends Error {
  constructor(
    message: string,
    readonly final = false,
    /** Runs in the transaction that ends the job. */
    readonly store?: (trx: Transaction) => Promise<void>,
  ) {
    super(message);
  }
}

/** Ends a part of a job that is not to be stored: the job was cancelled, given back, or taken over. */
export class Interrupted extends Error {
  constructor() {
    super('The job is no longer to be done here.');
  }
}
