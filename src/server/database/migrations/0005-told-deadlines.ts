import type { Migration } from './migration';

/** Whom a deadline was told, so that nobody is told of the same day twice; and the way to what was told of a record. */
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
