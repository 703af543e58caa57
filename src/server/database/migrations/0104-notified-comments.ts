import type { Migration } from './migration';

/** The comment that a notification is about: it is shown only while that is. */
export const notifiedComments: Migration = {
  name: '0104-notified-comments',
  sql: `alter table assay.notifications add column comment_id integer;`,
};
