import { type Environment, readWhole } from './read-value';

/** Settings of the security log. */
export interface SecurityLogSettings {
  /** Entries are deleted after so many days. */
  readonly days: number;
  /** Exports of at least so many records are logged. */
  readonly exportRows: number;
}

/** Reads SECURITY_LOG_DAYS and SECURITY_LOG_EXPORT_ROWS. Throws a SettingsError. */
export function readSecurityLog(env: Environment): SecurityLogSettings {
  return {
    days: readWhole(env, 'SECURITY_LOG_DAYS', 1, 36_500) ?? 400,
    exportRows: readWhole(env, 'SECURITY_LOG_EXPORT_ROWS', 0, 1_000_000_000) ?? 500,
  };
}
