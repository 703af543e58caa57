import { type Environment, readWhole } from './read-value';

/** How much is done besides requests, and for how long it can be looked at. */
export interface JobSettings {
  /** Jobs that one server does at the same time. */
  readonly atOnce: number;
  /** Jobs of one company that run at the same time, on all servers together. */
  readonly perCompany: number;
  /** Days for which ended jobs and mails that could not be sent are kept. */
  readonly keptDays: number;
}

/** Reads how jobs are done. Throws a SettingsError. */
export function readJobs(env: Environment): JobSettings {
  return {
    atOnce: readWhole(env, 'JOBS_AT_ONCE', 1, 32) ?? 4,
    perCompany: readWhole(env, 'JOBS_PER_COMPANY', 1, 32) ?? 2,
    keptDays: readWhole(env, 'JOBS_KEPT_DAYS', 1, 3650) ?? 30,
  };
}
