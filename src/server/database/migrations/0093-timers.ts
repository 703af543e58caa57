import type { Migration } from './migration';

/** The timer of each user: what it is for, and since when it runs. */
export const timers: Migration = {
  name: '0093-timers',
  sql: `
    create table assay.timers (
      user_id integer primary key,
      resource text not null,
      record_id integer not null,
      started_at timestamptz(3) not null
    );
  `,
};
