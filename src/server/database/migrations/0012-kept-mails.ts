import type { Migration } from './migration';

/**
 * Mails that were given up stay, to be seen and tried again; `reason` says in words why the last attempt failed. Their
 * next attempt is put so far away that a server of the version before does not make it.
 */
export const keptMails: Migration = {
  name: '0012-kept-mails',
  sql: `
    alter table assay.mails add column failed_at timestamptz(3);
    alter table assay.mails add column retried_at timestamptz(3);
    alter table assay.mails add column reason text;
  `,
};
