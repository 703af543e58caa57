import type { Migration } from './migration';

/**
 * How each person wants to be told of what, and when their digest comes: `digested_on` is the local day of the last one
 * that was due. A notification that waits for a digest is marked.
 */
export const noticeChoices: Migration = {
  name: '0097-notice-choices',
  sql: `
    create table assay.notice_choices (
      user_id integer primary key,
      channels jsonb not null default '{}',
      digest_hour smallint not null default 8,
      digest_day smallint,
      digested_on date
    );
    alter table assay.user_preferences add column time_zone text;
    alter table assay.notifications add column in_digest boolean not null default false;
    create index notifications_in_digest on assay.notifications (user_id) where in_digest and read_at is null;
  `,
};
