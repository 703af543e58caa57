import type { Migration } from './migration';

/** What a notification was sent for, by which it can be found: somebody was mentioned, something was assigned. */
export const occasions: Migration = {
  name: '0096-occasions',
  sql: `alter table assay.notifications add column occasion text;`,
};
