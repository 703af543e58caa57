import type { Migration } from './migration';

/**
 * Failed mails are kept, to be inspected and retried; `reason` tells why the last attempt failed. Their next attempt is
 * far in the future, so that a server of the previous version does not make it.
 */
export const keptMails: Migration = {
  name: '0012-kept-mails',
  sql: `
    alter table assay.mails add column failed_at timestamptz(3);
    alter table assay.mails add column retried_at timestamptz(3);
    alter table assay.mails add column reason text;
  `,
};
