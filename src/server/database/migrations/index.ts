import { engineTables } from './0001-engine-tables';
import { notifications } from './0002-notifications';
import { files } from './0003-files';
import type { Migration } from './migration';

/** All migrations, oldest first. */
export const migrations: readonly Migration[] = [engineTables, notifications, files];
