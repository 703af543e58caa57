import { resolve } from 'node:path';
import { type Environment, readText, readWhole } from './read-value';

/** For how long the history of records and notifications are kept; for ever where nothing is said. */
export interface RetentionSettings {
  readonly historyDays?: number;
  readonly notificationDays?: number;
  /** Absolute. Where rows are written before they are dropped. */
  readonly archiveDir?: string;
}

/** HISTORY_DAYS, NOTIFICATION_DAYS, ARCHIVE_DIR. Figures of the last 30 days read the history. Throws a SettingsError. */
export function readRetention(env: Environment): RetentionSettings {
  const archiveDir = readText(env, 'ARCHIVE_DIR');
  return {
    historyDays: readWhole(env, 'HISTORY_DAYS', 30, 36_500),
    notificationDays: readWhole(env, 'NOTIFICATION_DAYS', 30, 36_500),
    archiveDir: archiveDir === undefined ? undefined : resolve(archiveDir),
  };
}
