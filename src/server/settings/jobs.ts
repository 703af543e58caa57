import { type Environment, readWhole } from './read-value';

/** Limits of background jobs, and how long they are kept. */
export interface JobSettings {
  /** Jobs that one server runs at the same time. */
  readonly maxConcurrent: number;
  /** Jobs of one company that run at the same time, on all servers together. */
  readonly perCompany: number;
  /** How many days finished jobs and undeliverable mails are kept. */
  readonly retentionDays: number;
}

/** Reads the settings of jobs. Throws a SettingsError. */
export function readJobs(env: Environment): JobSettings {
  return {
    maxConcurrent: readWhole(env, 'JOBS_AT_ONCE', 1, 32) ?? 4,
    perCompany: readWhole(env, 'JOBS_PER_COMPANY', 1, 32) ?? 2,
    retentionDays: readWhole(env, 'JOBS_KEPT_DAYS', 1, 3650) ?? 30,
  };
}
