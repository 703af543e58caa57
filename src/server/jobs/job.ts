import type { Action } from '../../engine/definitions/definition';
import type { Transaction } from '../database/database';

/** The `resource` of live events about jobs: only the user who started a job receives them. */
export const jobsResource = 'jobs';

export const jobStates = ['waiting', 'running', 'done', 'failed', 'cancelled'] as const;
export type JobState = (typeof jobStates)[number];

/** A job as it is stored. Instants are ISO 8601 in UTC. */
export interface Job {
  readonly id: number;
  readonly kind: string;
  /** A title for lists, such as a file name. */
  readonly title: string;
  /** The company; null: the installation. */
  readonly site_id: number | null;
  /** The user who started it, and whose permissions it runs with. */
  readonly user_id: number;
  readonly state: JobState;
  /** The input, in a format of the job's kind. */
  readonly input: unknown;
  /** Where it resumes, saved together with the work up to there; null before the first checkpoint. */
  readonly place: unknown;
  readonly done: number;
  readonly total: number | null;
  readonly result: unknown;
  readonly message: string | null;
  /** Attempts since it last made progress. */
  readonly attempts: number;
  /** Whether it can be retried once it has failed or was cancelled. */
  readonly repeatable: boolean;
  readonly cancel_wanted: boolean;
  readonly next_at: string;
  readonly created_at: string;
  readonly started_at: string | null;
  readonly finished_at: string | null;
}

/** The values of a new job. */
export type NewJob = Pick<Job, 'kind' | 'title' | 'site_id' | 'user_id' | 'input'>;

/** The progress of a job after a part of it; `place` is where it resumes. */
export interface Checkpoint {
  readonly done: number;
  readonly total: number | null;
  readonly place: unknown;
}

/** A job that is running. */
export interface RunningJob extends Job {
  /** Aborted when the job is cancelled, the server stops, or another server has taken over the job. */
  readonly signal: AbortSignal;
  /**
   * Saves the progress within the transaction of a part, so that both are stored or neither. Throws Interrupted, which
   * must end the transaction, if the job no longer belongs to this server or is to be cancelled.
   */
  checkpoint(trx: Transaction, reached: Checkpoint): Promise<void>;
}

/** The result of a successful job. */
export interface JobOutcome {
  readonly result: unknown;
  readonly message: string;
  /** Runs in the transaction that ends the job. */
  readonly store?: (trx: Transaction) => Promise<void>;
}

/**
 * A kind of job. It runs in parts that are committed together with their checkpoints, and resumes after the last one.
 */
export interface JobKind {
  readonly name: string;
  /** Its name in lists. */
  readonly label: string;
  /** The grant that starts such jobs: service accounts that are limited to scopes need it to follow their own. */
  readonly grant: { readonly resource: string; readonly action: Action };
  /** Maximum number of attempts without progress before it fails. */
  readonly attempts: number;
  /**
   * Runs the job from `job.place` on. Throws JobFailed, or an error of the API, if retrying is useless; any other error
   * is a server error, after which it is retried.
   */
  run(job: RunningJob): Promise<JobOutcome>;
  /** Runs in the transaction of each checkpoint and state change, for what the kind stores elsewhere. */
  onChange?(trx: Transaction, job: Job): Promise<void>;
  /** Formats the result for the API. */
  formatResult?(job: Job): unknown;
  /** Says what was saved if a job ends early; appended to the reason. */
  describeSaved?(job: Job): string;
}

/** The jobs of an installation, and running them on this server. */
export interface JobQueue {
  readonly kinds: ReadonlyMap<string, JobKind>;
  /** Stores a job within the transaction; it starts after the commit. Throws TooManyRequests. */
  enqueue(trx: Transaction, job: NewJob): Promise<Job>;
  /** Resolves once a job has ended; rejects if this server stops first, or the job no longer exists. */
  waitForEnd(id: number): Promise<Job>;
  /** Cancels a job: at once if it is waiting, at its next checkpoint if it is running. Throws NotFound and Conflict. */
  cancel(id: number): Promise<Job>;
  /** Retries a failed or cancelled job from where it stopped. Throws NotFound and Conflict. */
  retry(id: number): Promise<Job>;
  /** Starts running jobs of these kinds. */
  start(kinds: readonly JobKind[]): Promise<void>;
  /** Claims no more jobs, and releases running ones as soon as they reach a checkpoint. Can be called repeatedly. */
  stop(): Promise<void>;
}

/** A failed job; the message is shown to the user as it is. `final`: it cannot be retried either. */
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

/** Aborts a part of a job that must not be saved: the job was cancelled, released, or taken over. */
export class Interrupted extends Error {
  constructor() {
    super('The job no longer runs on this server.');
  }
}
