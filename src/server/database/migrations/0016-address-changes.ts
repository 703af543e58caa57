import type { Migration } from './migration';

/** New email addresses of accounts that still have to be confirmed by a code. */
export const addressChanges: Migration = {
  name: '0016-address-changes',
  sql: `
    create table assay.address_changes (
      user_id integer primary key,
      email text not null,
      requested_by integer not null,
      requested_at timestamptz(3) not null default now()
    );
  `,
};
