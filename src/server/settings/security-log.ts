import { type Environment, readWhole } from './read-value';

/** What the security log keeps. */
export interface SecurityLogSettings {
  /** Lines are removed after as many days. */
  readonly days: number;
  /** Downloads of at least as many records are recorded. */
  readonly exportRows: number;
}

/** SECURITY_LOG_DAYS, SECURITY_LOG_EXPORT_ROWS. Throws a SettingsError. */
export function readSecurityLog(env: Environment): SecurityLogSettings {
  return {
    days: readWhole(env, 'SECURITY_LOG_DAYS', 1, 36_500) ?? 400,
    exportRows: readWhole(env, 'SECURITY_LOG_EXPORT_ROWS', 0, 1_000_000_000) ?? 500,
  };
}
