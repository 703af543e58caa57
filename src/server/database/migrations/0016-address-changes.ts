import type { Migration } from './migration';

/** New e-mail addresses of accounts that wait for a code to be confirmed. */
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
