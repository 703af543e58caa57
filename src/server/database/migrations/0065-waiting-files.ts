import type { Migration } from './migration';

/** Files that were uploaded before their record is saved, and belong to nobody but the user who did. */
export const waitingFiles: Migration = {
  name: '0065-waiting-files',
  sql: `alter table assay.files add column is_waiting boolean not null default false;`,
};
