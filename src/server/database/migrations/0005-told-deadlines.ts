import type { Migration } from './migration';

/**
 * Sent deadline reminders, so that nobody is reminded of the same day twice; and an index on notifications by record.
 */
export const toldDeadlines: Migration = {
  name: '0005-told-deadlines',
  sql: `
    create table assay.told_deadlines (
      resource text not null,
      record_id integer not null,
      user_id integer not null,
      day date not null,
      primary key (resource, record_id, user_id, day)
    );
    create index notifications_link on assay.notifications (link) where link is not null;
  `,
};
