import type { Migration } from './migration';

/** Notifications, one row per recipient. */
export const notifications: Migration = {
  name: '0002-notifications',
  sql: `
    create table assay.notifications (
      id integer generated always as identity primary key,
      user_id integer not null,
      title text not null,
      content text,
      link text,
      created_at timestamptz(3) not null default now(),
      read_at timestamptz(3)
    );
    create index notifications_user_id on assay.notifications (user_id, created_at desc, id desc);
  `,
};
