import { resolve } from 'node:path';
import { type Environment, readText, readWhole } from './read-value';

/** How long the history of records and notifications are kept; forever if undefined. */
export interface RetentionSettings {
  readonly historyDays?: number;
  readonly notificationDays?: number;
  /** Absolute path. The folder where rows are archived before they are deleted. */
  readonly archiveDir?: string;
}

/**
 * Reads HISTORY_DAYS, NOTIFICATION_DAYS and ARCHIVE_DIR. At least 30 days, since figures of the last 30 days read the
 * history. Throws a SettingsError.
 */
export function readRetention(env: Environment): RetentionSettings {
  const archiveDir = readText(env, 'ARCHIVE_DIR');
  return {
    historyDays: readWhole(env, 'HISTORY_DAYS', 30, 36_500),
    notificationDays: readWhole(env, 'NOTIFICATION_DAYS', 30, 36_500),
    archiveDir: archiveDir === undefined ? undefined : resolve(archiveDir),
  };
}
